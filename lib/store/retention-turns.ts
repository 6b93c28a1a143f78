import type { Db } from "./db";

/** A worker that fell silent during a run is followed by another after this time. Milliseconds. */
const AGAIN_MS = 600_000;
const EVERY_MS = 86_400_000;

/**
 * Takes the tenant that retention has to come to, the longest due first; null when it is nobody's turn. A new tenant
 * has its first turn a day after it was first seen. Called as the schema's owner; of several workers one gets it.
 */
export async function takeRetentionTurn(owner: Db): Promise<string | null> {
  await owner.$executeRaw`
    INSERT INTO retention_turns (tenant_id, next_run_at)
    SELECT t.id, ledger_now() + ${EVERY_MS}::bigint * interval '1 millisecond' FROM tenants t
    WHERE t.slug <> 'installation'
      AND NOT EXISTS (SELECT 1 FROM retention_turns r WHERE r.tenant_id = t.id)
    ON CONFLICT DO NOTHING`;
  const [row] = await owner.$queryRaw<{ tenantId: string }[]>`
    UPDATE retention_turns r
    SET next_run_at = ledger_now() + ${AGAIN_MS}::bigint * interval '1 millisecond'
    FROM (SELECT tenant_id FROM retention_turns WHERE next_run_at <= ledger_now()
      ORDER BY next_run_at, tenant_id LIMIT 1 FOR UPDATE SKIP LOCKED) due
    WHERE r.tenant_id = due.tenant_id
    RETURNING r.tenant_id AS "tenantId"`;
  return row?.tenantId ?? null;
}

/** Says that a run of a tenant came to its end; the next one is a day later. */
export async function endRetentionTurn(owner: Db, tenantId: string): Promise<void> {
  await owner.$executeRaw`
    UPDATE retention_turns
    SET last_run_at = ledger_now(), next_run_at = ledger_now() + ${EVERY_MS}::bigint * interval '1 millisecond'
    WHERE tenant_id = ${tenantId}::uuid`;
}
