import type { NoticeChannel, NoticeKind } from "@/lib/domain/notice";
import type { Db, Tx } from "./db";

/** A delivery in the hands of one worker until its lease ends, with all that one attempt needs. */
export interface ClaimedNotice {
  readonly tenantId: string;
  readonly tenantSlug: string;
  readonly id: string;
  readonly noticeId: string;
  readonly channel: NoticeChannel;
  readonly accountId: string | null;
  readonly endpointId: string | null;
  /** The number of this attempt: a report under a lower one is not taken. */
  readonly attempt: number;
  readonly tries: number;
  /** Database time of the claim. */
  readonly now: Date;
  /** The database server's time, which no test moves: receivers compare it with their own clock. */
  readonly signedAt: Date;

  readonly kind: NoticeKind;
  readonly escalation: boolean;
  readonly audience: string;
  readonly reason: string | null;
  readonly consequence: string | null;
  readonly count: number;
  readonly path: string;
  readonly losesAt: Date | null;
  readonly openedAt: Date;

  /** The person; null for an endpoint, and for somebody who is no member any more. */
  readonly login: string | null;
  readonly zone: string | null;
  /** False when the person has switched this way off. */
  readonly wanted: boolean;
  readonly mailToSealed: string | null;
  readonly chatUrlSealed: string | null;
  readonly quietFrom: string | null;
  readonly quietUntil: string | null;

  /** The endpoint while it is active; null otherwise. */
  readonly urlSealed: string | null;
  readonly secretId: string | null;
  readonly secretSealed: string | null;
}

/**
 * Claims deliveries that are due under a lease by database time; what another worker holds is skipped. The first claim
 * fixes the count that is told, so that every repeat says the same. The attempt counts from here on: a worker that dies
 * after this leaves a lease that ends, and the message goes out again under the same id.
 */
export async function claimNotices(
  owner: Db,
  workerId: string,
  limit: number,
  leaseMs: number,
): Promise<ClaimedNotice[]> {
  return owner.$queryRaw<ClaimedNotice[]>`
    WITH due AS MATERIALIZED (
      SELECT tenant_id, id FROM notice_deliveries
      WHERE state IN ('queued', 'retrying') AND next_try_at <= ledger_now()
        AND (lease_until IS NULL OR lease_until <= ledger_now())
      ORDER BY next_try_at, tenant_id, id LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE notice_deliveries d
      SET lease_owner = ${workerId}::uuid, lease_until = ledger_now() + ${leaseMs}::integer * interval '1 millisecond',
        attempts = attempts + 1, tries = tries + 1, told = coalesce(d.told, n.count)
      FROM due, notices n
      WHERE d.tenant_id = due.tenant_id AND d.id = due.id AND n.tenant_id = d.tenant_id AND n.id = d.notice_id
      RETURNING d.*
    )
    SELECT c.tenant_id AS "tenantId", t.slug AS "tenantSlug", c.id, c.notice_id AS "noticeId", c.channel,
      c.account_id AS "accountId", c.endpoint_id AS "endpointId", c.attempts AS attempt, c.tries,
      ledger_now() AS now, statement_timestamp() AS "signedAt",
      n.kind, n.escalation, n.audience, n.reason, n.consequence, c.told AS count, n.path, n.loses_at AS "losesAt",
      n.opened_at AS "openedAt",
      CASE WHEN m.account_id IS NOT NULL THEN a.login END AS login, a.zone,
      CASE c.channel WHEN 'mail' THEN coalesce(p.mail, true) WHEN 'chat' THEN coalesce(p.chat, c.account_id IS NULL)
        ELSE true END AS wanted,
      p.mail_to_sealed AS "mailToSealed", p.chat_url_sealed AS "chatUrlSealed",
      p.quiet_from AS "quietFrom", p.quiet_until AS "quietUntil",
      e.url_sealed AS "urlSealed", e.secret_id AS "secretId", e.secret_sealed AS "secretSealed"
    FROM claimed c
    JOIN notices n ON n.tenant_id = c.tenant_id AND n.id = c.notice_id
    JOIN tenants t ON t.id = c.tenant_id
    LEFT JOIN memberships m ON m.tenant_id = c.tenant_id AND m.account_id = c.account_id AND m.removed_at IS NULL
    LEFT JOIN accounts a ON a.id = m.account_id AND a.disabled_at IS NULL
    LEFT JOIN notice_preferences p ON p.account_id = a.id
    LEFT JOIN notice_endpoints e ON e.tenant_id = c.tenant_id AND e.id = c.endpoint_id AND e.state = 'active'`;
}

/** Which claim somebody speaks of; one whose lease was lost is not heard any more. */
export interface HeldNotice {
  readonly id: string;
  readonly workerId: string;
  readonly attempt: number;
}

/**
 * Puts a claimed delivery back until `until`, as if it had not been claimed: nothing was sent, and what joins until then
 * is told along.
 */
export async function postponeNotice(
  tx: Tx,
  tenantId: string,
  held: HeldNotice,
  until: string,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE notice_deliveries
    SET lease_owner = NULL, lease_until = NULL, tries = tries - 1, next_try_at = ${until}::timestamptz,
      told = CASE WHEN last_at IS NULL THEN NULL ELSE told END
    WHERE tenant_id = ${tenantId}::uuid AND id = ${held.id}::uuid
      AND lease_owner = ${held.workerId}::uuid AND attempts = ${held.attempt}`;
}

export interface NoticeReport extends HeldNotice {
  readonly outcome: string;
  readonly status: number | null;
  readonly to: "delivered" | "retrying" | "refused" | "dead" | "dropped";
  readonly nextInMs: number;
}

/**
 * Writes what an attempt came to, while this worker holds the delivery under this very attempt; a notice is reached by
 * the first way that takes it. False when the lease was lost: another attempt decides then.
 */
export async function reportNotice(
  tx: Tx,
  tenantId: string,
  report: NoticeReport,
): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ took: boolean }[]>`
    WITH taken AS (
      UPDATE notice_deliveries
      SET state = ${report.to}, lease_owner = NULL, lease_until = NULL, last_status = ${report.status},
        last_error = CASE WHEN ${report.to} = 'delivered' THEN NULL ELSE ${report.outcome} END,
        last_at = ledger_now(), delivered_at = CASE WHEN ${report.to} = 'delivered' THEN ledger_now() END,
        next_try_at = ledger_now() + ${report.nextInMs}::float8 * interval '1 millisecond'
      WHERE tenant_id = ${tenantId}::uuid AND id = ${report.id}::uuid AND lease_owner = ${report.workerId}::uuid
        AND attempts = ${report.attempt} AND state IN ('queued', 'retrying')
      RETURNING notice_id
    ), reached AS (
      UPDATE notices SET reached_at = ledger_now()
      WHERE tenant_id = ${tenantId}::uuid AND id IN (SELECT notice_id FROM taken) AND reached_at IS NULL
        AND ${report.to} = 'delivered'
    )
    SELECT EXISTS (SELECT 1 FROM taken) AS took`;
  return row?.took ?? false;
}
