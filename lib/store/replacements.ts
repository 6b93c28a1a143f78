import { PRIORITY } from "@/lib/domain/operation";
import type { Tx } from "./db";

/**
 * The sends of a request that an approved send of this revision takes the place of (ID-7): every earlier one that is
 * not settled, and the confirmed one that nothing has replaced yet. Shadows of sends are none of them (GO-1).
 */
export async function earlierSends(
  tx: Tx,
  tenantId: string,
  requestRef: string,
  revision: number,
): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ opId: string }[]>`
    SELECT op_id AS "opId" FROM operations
    WHERE tenant_id = ${tenantId}::uuid AND request_ref = ${requestRef} AND kind = 'send'
      AND op_key NOT LIKE 'shadow/%/send/%'
      AND (canonical_text::json ->> 'revision')::integer < ${revision}
      AND (state NOT IN ('done', 'obsolete', 'superseded', 'failed_terminal')
        OR state = 'done' AND successor_op_id IS NULL)
    ORDER BY op_id`;
  return rows.map(({ opId }) => opId);
}

/** The highest revision that a send of this request was ever proposed with; 0 when there was none. */
export async function highestRevision(
  tx: Tx,
  tenantId: string,
  requestRef: string,
): Promise<number> {
  const [row] = await tx.$queryRaw<{ highest: number }[]>`
    SELECT coalesce(max((canonical_text::json ->> 'revision')::integer), 0) AS highest FROM operations
    WHERE tenant_id = ${tenantId}::uuid AND request_ref = ${requestRef} AND kind = 'send'
      AND op_key NOT LIKE 'shadow/%/send/%'`;
  return row?.highest ?? 0;
}

/** The confirmed send that made this reference at the platform; null where another program made it. */
export async function sendThatMade(
  tx: Tx,
  tenantId: string,
  requestRef: string,
  platformRef: string,
): Promise<string | null> {
  const row = await tx.operation.findFirst({
    where: { tenantId, requestRef, platformRef, kind: "send", state: "done" },
    select: { opId: true },
  });
  return row?.opId ?? null;
}

/** The approved void of this reference that is not settled yet; null when there is none. */
export async function openVoidOf(
  tx: Tx,
  tenantId: string,
  requestRef: string,
  platformRef: string,
): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ opId: string }[]>`
    SELECT op_id AS "opId" FROM operations
    WHERE tenant_id = ${tenantId}::uuid AND request_ref = ${requestRef} AND kind = 'void'
      AND canonical_text::json ->> 'platform_ref' = ${platformRef} AND approved_at IS NOT NULL
      AND state NOT IN ('done', 'obsolete', 'superseded', 'failed_terminal')
    ORDER BY approved_at LIMIT 1`;
  return row?.opId ?? null;
}

export interface CarriedVoid {
  readonly tenantId: string;
  readonly opId: string;
  readonly opKey: string;
  readonly requestRef: string;
  readonly connectionId: string;
  readonly canonicalText: string;
  readonly payloadHash: string;
  readonly approvalId: string;
  readonly policyVersion: number;
  readonly proposedBy: string;
  /** The replacement whose approval carries it. */
  readonly approvedWithOpId: string;
  readonly actor: string;
}

/**
 * Adds the void of a replaced request as an approved operation (ID-7). One statement; when its key is taken nothing is
 * added. Returns the id under which the void stands.
 */
export async function insertCarriedVoid(tx: Tx, carried: CarriedVoid): Promise<string> {
  await tx.$executeRaw`
    INSERT INTO operations (tenant_id, op_id, op_key, kind, request_ref, connection_id, state, reason,
      canonical_text, payload_hash, approval_id, policy_version, proposed_by, approved_at, due_at, priority,
      approved_with_op_id, event_actor, event_evidence)
    VALUES (${carried.tenantId}::uuid, ${carried.opId}::uuid, ${carried.opKey}, 'void', ${carried.requestRef},
      ${carried.connectionId}::uuid, 'scheduled', 'approved', ${carried.canonicalText}, ${carried.payloadHash},
      ${carried.approvalId}::uuid, ${carried.policyVersion}, ${carried.proposedBy}, ledger_now(), ledger_now(),
      ${PRIORITY.void}, ${carried.approvedWithOpId}::uuid, ${carried.actor},
      json_build_object('approved_with', ${carried.approvedWithOpId}::text)::text)
    ON CONFLICT (tenant_id, op_key) DO NOTHING`;
  const row = await tx.operation.findUniqueOrThrow({
    where: { tenantId_opKey: { tenantId: carried.tenantId, opKey: carried.opKey } },
    select: { opId: true },
  });
  return row.opId;
}

/**
 * Ends the void that a withdrawn replacement carried, where no call ever left for it (ID-7): without the replacement
 * there is no approval for it. Returns how many ended.
 */
export async function withdrawCarried(
  tx: Tx,
  tenantId: string,
  opId: string,
  actor: string,
): Promise<number> {
  return tx.$executeRaw`
    UPDATE operations
    SET state = 'obsolete', reason = 'withdrawn', event_actor = ${actor},
      event_evidence = json_build_object('approved_with', ${opId}::text)::text
    WHERE tenant_id = ${tenantId}::uuid AND approved_with_op_id = ${opId}::uuid AND kind = 'void'
      AND state = 'scheduled' AND attempts = 0 AND late_fence IS NULL`;
}

/** Lets a replacement start only when this operation is done (ID-7). False when the replacement has moved on. */
export async function waitFor(
  tx: Tx,
  tenantId: string,
  opId: string,
  waitsForOpId: string,
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE operations SET waits_for_op_id = ${waitsForOpId}::uuid
    WHERE tenant_id = ${tenantId}::uuid AND op_id = ${opId}::uuid AND state = 'scheduled'`;
  return count > 0;
}

/** The approved replacement that is recorded on an operation and has not started yet; null when there is none. */
export async function waitingSuccessor(
  tx: Tx,
  tenantId: string,
  opId: string,
): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ opId: string }[]>`
    WITH RECURSIVE chain AS (
      SELECT s.op_id, s.state, s.successor_op_id FROM operations o
      JOIN operations s ON s.tenant_id = o.tenant_id AND s.op_id = o.successor_op_id
      WHERE o.tenant_id = ${tenantId}::uuid AND o.op_id = ${opId}::uuid
      UNION ALL
      SELECT s.op_id, s.state, s.successor_op_id FROM chain
      JOIN operations s ON s.tenant_id = ${tenantId}::uuid AND s.op_id = chain.successor_op_id
      WHERE chain.state = 'superseded'
    )
    SELECT op_id AS "opId" FROM chain WHERE state = 'scheduled' LIMIT 1`;
  return row?.opId ?? null;
}

/** An approved replacement, as far as making way for it depends on it. */
export interface Replacement {
  readonly opId: string;
  readonly requestRef: string;
  readonly connectionId: string;
  readonly approvalId: string;
  readonly proposedBy: string;
  readonly canonicalText: string;
}

/** Loads a replacement; throws when it is not the tenant's. */
export async function replacementById(
  tx: Tx,
  tenantId: string,
  opId: string,
): Promise<Replacement> {
  return tx.operation.findUniqueOrThrow({
    where: { tenantId_opId: { tenantId, opId } },
    select: {
      opId: true,
      requestRef: true,
      connectionId: true,
      approvalId: true,
      proposedBy: true,
      canonicalText: true,
    },
  });
}
