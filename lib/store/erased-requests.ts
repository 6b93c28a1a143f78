import type { OperationKind, OperationState } from "@/lib/domain/operation";
import type { Db, Tx } from "./db";

/**
 * Every request that a person has part in: as a signer, or by an operation or shadow whose payload names them. In the
 * order of their references.
 */
export async function requestsOfSubject(
  db: Db,
  tenantId: string,
  subjectRef: string,
): Promise<readonly string[]> {
  const named = `"${subjectRef}"`;
  const rows = await db.$queryRaw<{ ref: string }[]>`
    SELECT request_ref AS ref FROM request_signers
    WHERE tenant_id = ${tenantId}::uuid AND subject_ref = ${subjectRef}
    UNION SELECT request_ref FROM operations
    WHERE tenant_id = ${tenantId}::uuid AND kind IN ('send', 'resend', 'remind')
      AND strpos(canonical_text, ${named}) > 0
    UNION SELECT request_ref FROM shadow_records
    WHERE tenant_id = ${tenantId}::uuid AND strpos(canonical_text, ${named}) > 0
    ORDER BY 1`;
  return rows.map(({ ref }) => ref);
}

/** The requests that a person signs, for lists: without looking into payloads. */
export async function signedRequestsOf(
  db: Db,
  tenantId: string,
  subjectRef: string,
): Promise<readonly string[]> {
  const rows = await db.requestSigner.findMany({
    where: { tenantId, subjectRef },
    orderBy: { requestRef: "asc" },
    select: { requestRef: true },
  });
  return rows.map(({ requestRef }) => requestRef);
}

/** Locks requests and then their open operations, each in one order, until the transaction ends (C-09). */
export async function lockRequestsWhole(
  tx: Tx,
  tenantId: string,
  refs: readonly string[],
): Promise<void> {
  await tx.$queryRaw`
    SELECT ref FROM requests WHERE tenant_id = ${tenantId}::uuid AND ref = ANY(${[...refs]})
    ORDER BY ref FOR UPDATE`;
  await tx.$queryRaw`
    SELECT op_id FROM operations
    WHERE tenant_id = ${tenantId}::uuid AND request_ref = ANY(${[...refs]})
      AND state NOT IN ('done', 'obsolete', 'superseded', 'failed_terminal')
    ORDER BY op_id FOR UPDATE`;
}

export interface OpenOperation {
  readonly opId: string;
  readonly kind: OperationKind;
  readonly state: OperationState;
  readonly requestRef: string;
  /** Its open review item of this reason; null when there is none. */
  readonly itemId: string | null;
}

/** The open operations of requests, oldest first, with the item by which an erasure gave each to a person. */
export async function openOperationsOfRequests(
  db: Db,
  tenantId: string,
  refs: readonly string[],
): Promise<readonly OpenOperation[]> {
  return db.$queryRaw<OpenOperation[]>`
    SELECT o.op_id AS "opId", o.kind, o.state, o.request_ref AS "requestRef",
      (SELECT i.id FROM review_items i WHERE i.tenant_id = o.tenant_id AND i.op_id = o.op_id
        AND i.settled_at IS NULL ORDER BY (i.reason = 'contact_erased') DESC, i.opened_at LIMIT 1) AS "itemId"
    FROM operations o
    WHERE o.tenant_id = ${tenantId}::uuid AND o.request_ref = ANY(${[...refs]})
      AND o.state NOT IN ('done', 'obsolete', 'superseded', 'failed_terminal')
    ORDER BY o.created_at, o.op_id`;
}

/**
 * Gives every open operation of requests to a person because data that it needs were erased (PV-3). What nothing was
 * sent of becomes `needs_review`, also out of a worker's hands: its next write finds the state moved. What may have
 * been sent stays where it is, and what waits for approval does too; an item is opened beside it. Returns how many
 * operations are open.
 */
export async function handOverErased(
  tx: Tx,
  tenantId: string,
  refs: readonly string[],
  by: { readonly actor: string; readonly erasureId: string; readonly owner: string },
): Promise<number> {
  const evidence = JSON.stringify({ erasure: by.erasureId });
  const [row] = await tx.$queryRaw<{ open: number }[]>`
    WITH open AS MATERIALIZED (
      SELECT op_id, request_ref, state FROM operations
      WHERE tenant_id = ${tenantId}::uuid AND request_ref = ANY(${[...refs]})
        AND state NOT IN ('done', 'obsolete', 'superseded', 'failed_terminal')
    ), moved AS (
      UPDATE operations o
      SET state = 'needs_review', reason = 'contact_erased', owner = ${by.owner}, lease_owner = NULL,
        lease_until = NULL, unknown_since = coalesce(o.unknown_since, ledger_now()), event_actor = ${by.actor},
        event_evidence = ${evidence}
      FROM open
      WHERE o.tenant_id = ${tenantId}::uuid AND o.op_id = open.op_id AND o.state IN ('scheduled', 'claimed')
    ), reviewed AS (
      INSERT INTO review_items (tenant_id, id, op_id, request_ref, reason, owner, evidence)
      SELECT ${tenantId}::uuid, gen_random_uuid(), op_id, request_ref, 'contact_erased', ${by.owner}, ${evidence}
      FROM open WHERE state IN ('proposed', 'submitting', 'needs_reconcile', 'reconciling')
      ON CONFLICT DO NOTHING
    )
    SELECT count(*)::integer AS open FROM open`;
  return row?.open ?? 0;
}

/** True while a person has to decide about the operation because data that it needs were erased. */
export async function isHandedOverErased(db: Db, tenantId: string, opId: string): Promise<boolean> {
  const row = await db.reviewItem.findFirst({
    where: { tenantId, opId, reason: "contact_erased", settledAt: null },
    select: { id: true },
  });
  return row !== null;
}

/** True for a request one of whose signers was erased. */
export async function isContactErased(db: Db, tenantId: string, ref: string): Promise<boolean> {
  const row = await db.request.findUnique({
    where: { tenantId_ref: { tenantId, ref } },
    select: { contactErasedAt: true },
  });
  return row !== null && row.contactErasedAt !== null;
}

/** Says of requests that data of a signer were erased: no raw body about them is kept any more. */
export async function markContactErased(
  tx: Tx,
  tenantId: string,
  refs: readonly string[],
): Promise<void> {
  await tx.$executeRaw`
    UPDATE requests SET contact_erased_at = coalesce(contact_erased_at, ledger_now())
    WHERE tenant_id = ${tenantId}::uuid AND ref = ANY(${[...refs]})`;
}
