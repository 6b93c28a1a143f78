import type { HistoryFinding } from "@/lib/domain/history-finding";
import type { Db, Tx } from "./db";

/** A check that a worker has to itself until its lease ends. */
export interface TakenCheck {
  readonly tenantId: string;
  readonly id: string;
  /** As written by `scopeText`. */
  readonly scope: string;
  /** How often it was taken; every later write names it. */
  readonly takes: number;
}

/** After so many takes that came to no end a check is given up as failed. */
export const TAKES_MAX = 3;

/** Asks for a check of the history. */
export async function insertCheck(
  tx: Tx,
  tenantId: string,
  check: { readonly id: string; readonly scope: string; readonly askedBy: string },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO history_checks (tenant_id, id, scope, asked_by)
    VALUES (${tenantId}::uuid, ${check.id}::uuid, ${check.scope}, ${check.askedBy})`;
}

/**
 * Asks for the daily check of every tenant whose first seal, and whose last check of everything, is older than
 * `everyMs`. Called as the schema's owner. Returns how many were asked for.
 */
export async function insertDueChecks(
  owner: Db,
  everyMs: number,
  scopeOfAll: string,
): Promise<number> {
  return owner.$executeRaw`
    INSERT INTO history_checks (tenant_id, id, scope, asked_by)
    SELECT s.tenant_id, gen_random_uuid(), ${scopeOfAll}, 'system:daily'
    FROM seals s
    WHERE s.seq = 1 AND s.made_at < ledger_now() - make_interval(secs => ${everyMs / 1000}::float8)
      AND NOT EXISTS (SELECT 1 FROM history_checks c
        WHERE c.tenant_id = s.tenant_id AND c.scope = ${scopeOfAll}
          AND c.asked_at >= ledger_now() - make_interval(secs => ${everyMs / 1000}::float8))
    ON CONFLICT DO NOTHING`;
}

/** Takes the oldest check that waits or whose worker fell silent; null when there is none. As the schema's owner. */
export async function takeCheck(owner: Db, leaseMs: number): Promise<TakenCheck | null> {
  const [row] = await owner.$queryRaw<TakenCheck[]>`
    UPDATE history_checks c
    SET state = 'running', takes = c.takes + 1, findings = 0, chains = 0, entries = 0, seals = 0,
      taken_until = ledger_now() + make_interval(secs => ${leaseMs / 1000}::float8)
    FROM (
      SELECT tenant_id, id FROM history_checks
      WHERE state IN ('waiting', 'running') AND (taken_until IS NULL OR taken_until < ledger_now())
      ORDER BY asked_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
    ) next
    WHERE c.tenant_id = next.tenant_id AND c.id = next.id
    RETURNING c.tenant_id AS "tenantId", c.id, c.scope, c.takes`;
  return row ?? null;
}

/** Forgets what an earlier take of the check had found. */
export async function clearFindings(tx: Tx, { tenantId, id }: TakenCheck): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM history_findings WHERE tenant_id = ${tenantId}::uuid AND check_id = ${id}::uuid`;
}

export interface CheckCounts {
  readonly chains: number;
  readonly entries: number;
  readonly seals: number;
  readonly findings: number;
}

/** Notes how far a check is and renews its lease; false when another worker has it by now. */
export async function noteCheckProgress(
  tx: Tx,
  check: TakenCheck,
  counts: CheckCounts,
  leaseMs: number,
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE history_checks
    SET chains = ${counts.chains}, entries = ${counts.entries}, seals = ${counts.seals},
      findings = ${counts.findings},
      taken_until = ledger_now() + make_interval(secs => ${leaseMs / 1000}::float8)
    WHERE tenant_id = ${check.tenantId}::uuid AND id = ${check.id}::uuid AND state = 'running'
      AND takes = ${check.takes}`;
  return count > 0;
}

/** Ends a check as `done` or `failed`; false when another worker has it by now. */
export async function endCheck(
  tx: Tx,
  check: TakenCheck,
  state: "done" | "failed",
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE history_checks SET state = ${state}, finished_at = ledger_now(), taken_until = NULL
    WHERE tenant_id = ${check.tenantId}::uuid AND id = ${check.id}::uuid AND state = 'running'
      AND takes = ${check.takes}`;
  return count > 0;
}

/** Stores findings of a check; the first of them has the place `from`. */
export async function insertFindings(
  tx: Tx,
  { tenantId, id }: TakenCheck,
  from: number,
  findings: readonly HistoryFinding[],
): Promise<void> {
  await tx.historyFinding.createMany({
    data: findings.map((finding, place) => ({
      tenantId,
      checkId: id,
      place: from + place,
      ...finding,
    })),
  });
}

/**
 * Opens a review item about a history that was changed: one open item per operation, and one for everything that has no
 * operation any more. False when such an item is open already.
 */
export async function openHistoryReview(
  tx: Tx,
  tenantId: string,
  item: { readonly opId: string | null; readonly owner: string; readonly evidence: object },
): Promise<boolean> {
  const opened = await tx.$executeRaw`
    INSERT INTO review_items (tenant_id, id, op_id, reason, owner, evidence)
    SELECT ${tenantId}::uuid, gen_random_uuid(), there.op_id, 'history_changed', ${item.owner},
      ${JSON.stringify(item.evidence)}
    FROM (SELECT (SELECT op_id FROM operations
      WHERE tenant_id = ${tenantId}::uuid AND op_id = ${item.opId}::uuid) AS op_id) there
    WHERE NOT EXISTS (SELECT 1 FROM review_items r WHERE r.tenant_id = ${tenantId}::uuid
      AND r.reason = 'history_changed' AND r.settled_at IS NULL AND r.op_id IS NOT DISTINCT FROM there.op_id)
    ON CONFLICT DO NOTHING`;
  return opened === 1;
}
