import { CLAIM_COLUMNS, type Claim } from "./claims";
import type { Db, Tx } from "./db";

/** A pause after which a last look that was taken and not finished is taken again. Milliseconds. */
const AGAIN_MS = 60_000;

/**
 * Takes confirmed operations whose last look is due (SM-5). The state does not change and no lease is held: a look
 * only reads, and one that is not finished is simply due again later.
 */
export async function takeLastLooks(db: Db, limit: number): Promise<Claim[]> {
  return db.$queryRaw<Claim[]>`
    WITH due AS MATERIALIZED (
      SELECT tenant_id, op_id FROM operations
      WHERE last_look_at <= ledger_now()
      ORDER BY last_look_at, op_id LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    )
    UPDATE operations o SET last_look_at = ledger_now() + ${AGAIN_MS}::integer * interval '1 millisecond'
    FROM due d
    WHERE o.tenant_id = d.tenant_id AND o.op_id = d.op_id
    RETURNING ${CLAIM_COLUMNS}, ledger_now() AS "leaseUntil"`;
}

/** Says that the last look of an operation was made. */
export async function lastLookMade(tx: Tx, tenantId: string, opId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE operations SET last_look_at = NULL
    WHERE tenant_id = ${tenantId}::uuid AND op_id = ${opId}::uuid`;
}

/** Opens a review item about an operation, once per reason while it is open (RV-1, SM-5). */
export async function openReviewItem(
  tx: Tx,
  tenantId: string,
  item: {
    readonly opId: string;
    readonly requestRef: string;
    readonly reason: string;
    readonly owner: string;
    readonly evidence: object;
  },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO review_items (tenant_id, id, op_id, request_ref, reason, owner, evidence)
    VALUES (${tenantId}::uuid, gen_random_uuid(), ${item.opId}::uuid, ${item.requestRef}, ${item.reason},
      ${item.owner}, ${JSON.stringify(item.evidence)})
    ON CONFLICT DO NOTHING`;
}

/** True when a newer extension of the request is confirmed: then its value is the one to be seen (SM-5). */
export async function newerExtensionDone(
  tx: Tx,
  tenantId: string,
  requestRef: string,
  opId: string,
): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ newer: boolean }[]>`
    SELECT EXISTS (
      SELECT 1 FROM operations n JOIN operations o ON o.tenant_id = n.tenant_id
      WHERE o.tenant_id = ${tenantId}::uuid AND o.op_id = ${opId}::uuid AND n.request_ref = ${requestRef}
        AND n.kind = 'extend' AND n.op_id <> o.op_id AND n.approved_at > o.approved_at
        AND n.state NOT IN ('proposed', 'obsolete', 'superseded', 'failed_terminal')) AS newer`;
  return row?.newer ?? false;
}
