import { afterAll, beforeAll, expect, test } from "vitest";
import { sha256Hex } from "@/lib/domain/canonical";
import { asTenant, connect } from "@/lib/store/db";
import { waitUntil } from "@/lib/testing/processes";
import {
  anApprovedExtension,
  aRealRequest,
  effectsOf,
  inDays,
  oneRound,
  openWorkshop,
  operationOf,
  type ShopTenant,
  type Workshop,
} from "@/lib/testing/workshop";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.close());

async function anExtension(): Promise<{ tenant: ShopTenant; opId: string; platformRef: string }> {
  const tenant = await shop.tenant("exact", { callTimeoutMs: 4_000, leaseMs: 15_000 });
  const request = await aRealRequest(shop, tenant, inDays(3));
  const opId = await anApprovedExtension(shop, tenant, request, inDays(10));
  return { tenant, opId, platformRef: request.platformRef };
}

/** Changes the row as somebody could who owns the database: with the trigger out of the way. */
async function tamper(opId: string, change: string): Promise<void> {
  const { owner } = shop.ledger;
  await owner.$transaction(async (tx) => {
    await tx.$executeRawUnsafe("ALTER TABLE operations DISABLE TRIGGER operations_update");
    await tx.$executeRawUnsafe(`UPDATE operations SET ${change} WHERE op_id = '${opId}'`);
    await tx.$executeRawUnsafe("ALTER TABLE operations ENABLE TRIGGER operations_update");
  });
}

const extended = async (tenant: ShopTenant, platformRef: string) =>
  (await effectsOf(shop, tenant, { requestId: platformRef, kind: "extended" })).length;

/** A later expiry under the same request: what somebody would write who wants another effect. */
const OTHER_BYTES = `canonical_text = regexp_replace(canonical_text, '"expires_at":"20(..)-', '"expires_at":"21\\1-')`;

test("ID-3 ID-9 C-01: the approved bytes hash to the approved hash by every way of reading them, also after a restart", async () => {
  const { tenant, opId, platformRef } = await anExtension();
  const { tenantId } = tenant;
  const approved = await operationOf(shop, tenant, opId);
  const fresh = connect(shop.ledger.url, { role: "deadline_worker", poolMax: 1 });
  const [raw] = await asTenant(
    fresh,
    tenantId,
    (tx) => tx.$queryRaw<{ text: string; bytes: Uint8Array }[]>`
      SELECT canonical_text AS text, convert_to(canonical_text, 'UTF8') AS bytes
      FROM operations WHERE op_id = ${opId}::uuid`,
  );
  const model = await asTenant(fresh, tenantId, (tx) =>
    tx.operation.findUniqueOrThrow({ where: { tenantId_opId: { tenantId, opId } } }),
  );
  await fresh.$disconnect();

  expect(sha256Hex(approved.canonicalText)).toBe(approved.payloadHash);
  expect(sha256Hex(raw?.text ?? "")).toBe(approved.payloadHash);
  expect(sha256Hex(Buffer.from(raw?.bytes ?? []).toString("utf8"))).toBe(approved.payloadHash);
  expect(sha256Hex(model.canonicalText)).toBe(approved.payloadHash);
  await oneRound(await shop.worker());
  expect(await extended(tenant, platformRef)).toBe(1);
});

test("ID-9 C-01: bytes that were changed in the database are never sent and end with a person", async () => {
  const { tenant, opId, platformRef } = await anExtension();
  await tamper(opId, OTHER_BYTES);
  const changed = await operationOf(shop, tenant, opId);
  expect(sha256Hex(changed.canonicalText)).not.toBe(changed.payloadHash);

  await oneRound(await shop.worker());

  expect(await operationOf(shop, tenant, opId)).toMatchObject({
    state: "needs_review",
    reason: "stored_bytes_changed",
    owner: "team:compliance",
    attempts: 0,
  });
  expect(await extended(tenant, platformRef)).toBe(0);
  const items = await shop.ledger.owner.reviewItem.findMany({ where: { opId } });
  expect(items.map(({ reason, owner }) => [reason, owner])).toEqual([
    ["stored_bytes_changed", "team:compliance"],
  ]);
});

test("AP-1 AP-3 ID-9: bytes that were changed together with their hash are not the approved ones and are never sent", async () => {
  const { tenant, opId, platformRef } = await anExtension();
  await tamper(opId, OTHER_BYTES);
  await tamper(opId, "payload_hash = encode(sha256(convert_to(canonical_text, 'UTF8')), 'hex')");
  const changed = await operationOf(shop, tenant, opId);
  expect(sha256Hex(changed.canonicalText)).toBe(changed.payloadHash);

  await oneRound(await shop.worker());

  expect(await operationOf(shop, tenant, opId)).toMatchObject({
    state: "needs_review",
    reason: "authorization_lost",
    attempts: 0,
  });
  expect(await extended(tenant, platformRef)).toBe(0);
});

test("ID-9 RC-1: bytes that were changed while the outcome is unknown are not looked up as if they were approved", async () => {
  const { tenant, opId, platformRef } = await anExtension();
  await shop.sandbox.control.addFault(tenant.account.id, {
    fault: "reset_before",
    operation: "extend",
  });
  const worker = await shop.worker();
  await oneRound(worker);
  expect((await operationOf(shop, tenant, opId)).state).toBe("needs_reconcile");
  await tamper(opId, OTHER_BYTES);

  await waitUntil(
    async () => {
      await oneRound(worker);
      return (await operationOf(shop, tenant, opId)).state === "needs_review";
    },
    { timeoutMs: 30_000, what: "a person has it" },
  );

  expect((await operationOf(shop, tenant, opId)).reason).toBe("stored_bytes_changed");
  expect(await extended(tenant, platformRef)).toBe(0);
});
