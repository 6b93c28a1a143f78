import { anApprovedSend } from "./sends";
import { inDays, type ShopTenant, type Workshop } from "./workshop";

/**
 * One approved send and `count` copies of it, each on a request of its own and all due now: what a bulk send leaves
 * behind. The copies go through the triggers, but past the flows, which would take minutes.
 */
export async function manyApprovedSends(
  shop: Workshop,
  tenant: ShopTenant,
  count: number,
): Promise<void> {
  const { opId, ref } = await anApprovedSend(shop, tenant, inDays(20));
  const { tenantId } = tenant;
  await shop.ledger.owner.$executeRaw`
    WITH model AS MATERIALIZED (
      SELECT * FROM operations WHERE tenant_id = ${tenantId}::uuid AND op_id = ${opId}::uuid
    ), fresh AS MATERIALIZED (
      SELECT gen_random_uuid() AS op_id, f.ref, replace(m.canonical_text, ${ref}, f.ref) AS text,
        replace(m.op_key, ${ref}, f.ref) AS op_key
      FROM model m CROSS JOIN LATERAL (
        SELECT ${ref} || '_' || n AS ref FROM generate_series(1, ${count}::int) n) f
    ), hashed AS MATERIALIZED (
      SELECT fresh.*, encode(sha256(convert_to(text, 'UTF8')), 'hex') AS hash FROM fresh
    ), asked AS (
      INSERT INTO requests (tenant_id, ref, connection_id, zone, owner_account_id)
      SELECT r.tenant_id, h.ref, r.connection_id, r.zone, r.owner_account_id
      FROM hashed h, requests r WHERE r.tenant_id = ${tenantId}::uuid AND r.ref = ${ref}
    ), signers AS (
      INSERT INTO request_signers (tenant_id, request_ref, subject_ref, role, signing_order, contact_digest)
      SELECT s.tenant_id, h.ref, s.subject_ref, s.role, s.signing_order, s.contact_digest
      FROM hashed h, request_signers s WHERE s.tenant_id = ${tenantId}::uuid AND s.request_ref = ${ref}
    ), made AS (
      INSERT INTO operations (tenant_id, op_id, op_key, kind, request_ref, connection_id, state, reason, canonical_text,
        payload_hash, approval_id, policy_version, proposed_by, approved_at, due_at, priority, event_actor, event_evidence)
      SELECT m.tenant_id, h.op_id, h.op_key, m.kind, h.ref, m.connection_id, 'scheduled', 'approved', h.text, h.hash,
        gen_random_uuid(), m.policy_version, m.proposed_by, ledger_now(), ledger_now(), m.priority, m.proposed_by, '{}'
      FROM hashed h, model m
    )
    INSERT INTO approvals (tenant_id, op_id, account_id, decision, version, payload_hash)
    SELECT a.tenant_id, h.op_id, a.account_id, a.decision, 1, h.hash
    FROM hashed h, approvals a WHERE a.tenant_id = ${tenantId}::uuid AND a.op_id = ${opId}::uuid`;
}

/** No quota slows what is measured. */
export async function liftLimits({ ledger }: Workshop, tenant: ShopTenant): Promise<void> {
  const { tenantId, connectionId } = tenant;
  const limits = { inFlightMax: 100_000, callsPerMinute: 100_000, changedBy: "system:test" };
  await ledger.owner.tenantLimit.create({ data: { tenantId, ...limits } });
  await ledger.owner.connectionLimit.create({ data: { tenantId, connectionId, ...limits } });
}

/** Makes every call and read of the tenant's account take this much longer, from now on. */
export async function slowPlatform(
  { sandbox }: Workshop,
  { account }: ShopTenant,
  delayMs: number,
): Promise<void> {
  await sandbox.control.addFault(account.id, {
    fault: "answer_delayed",
    operation: "any",
    occurs: { kind: "always" },
    parameters: { delayMs },
  });
}

/** How many operations of the tenant workers hold for a change now. */
export function inFlightOf({ ledger }: Workshop, { tenantId }: ShopTenant): Promise<number> {
  return ledger.owner.operation.count({
    where: { tenantId, state: { in: ["claimed", "submitting"] } },
  });
}
