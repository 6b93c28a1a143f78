import type { NoticeKind } from "@/lib/domain/notice";
import type { Tx } from "./db";

/**
 * Closes the open matter of this audience when nothing joined it for `quietMs`; an escalation when it is older than
 * `windowMs`. What was not sent yet still goes out.
 */
export async function endQuietMatter(
  tx: Tx,
  tenantId: string,
  ended: {
    readonly matter: string;
    readonly audience: string;
    readonly escalation: boolean;
    readonly quietMs: number;
    readonly windowMs: number;
  },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE notices SET closed_at = ledger_now(), closed_why = 'quiet'
    WHERE tenant_id = ${tenantId}::uuid AND matter = ${ended.matter} AND audience = ${ended.audience}
      AND escalation = ${ended.escalation} AND closed_at IS NULL AND planned_at IS NOT NULL
      AND CASE WHEN escalation THEN opened_at < ledger_now() - ${ended.windowMs}::integer * interval '1 millisecond'
        ELSE joined_at < ledger_now() - ${ended.quietMs}::integer * interval '1 millisecond' END`;
}

export interface JoiningNotice {
  readonly matter: string;
  readonly audience: string;
  readonly kind: NoticeKind;
  readonly escalation: boolean;
  readonly reason: string | null;
  readonly consequence: string | null;
  readonly count: number;
  readonly path: string;
  readonly losesAt: string | null;
  /** How long it gathers before it is planned, in milliseconds; counts for the first only. */
  readonly gatherMs: number;
  readonly follows: string | null;
}

/** Opens a matter for an audience, or adds to the one that is open. Callers at the same time make one row. */
export async function joinMatter(tx: Tx, tenantId: string, joining: JoiningNotice): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO notices AS n (tenant_id, id, matter, audience, kind, escalation, reason, consequence, count, path,
      loses_at, plan_at, follows)
    VALUES (${tenantId}::uuid, gen_random_uuid(), ${joining.matter}, ${joining.audience}, ${joining.kind},
      ${joining.escalation}, ${joining.reason}, ${joining.consequence}, ${joining.count}::integer, ${joining.path},
      ${joining.losesAt}::timestamptz, ledger_now() + ${joining.gatherMs}::integer * interval '1 millisecond',
      ${joining.follows}::uuid)
    ON CONFLICT (tenant_id, matter, audience, escalation) WHERE closed_at IS NULL
    DO UPDATE SET count = n.count + excluded.count, joined_at = ledger_now(),
      loses_at = least(n.loses_at, excluded.loses_at)`;
}
