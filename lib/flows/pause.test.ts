import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimDueWork } from "@/lib/flows/claim-work";
import { executeClaim } from "@/lib/flows/execute";
import { asTenant } from "@/lib/store/db";
import { resolveText } from "@/lib/store/vault";
import { waitUntil } from "@/lib/testing/processes";
import { refusalOf } from "@/lib/testing/refusals";
import { pauseNow, twoOnCall } from "@/lib/testing/switches";
import { aMember, anApiKey } from "@/lib/testing/tenants";
import {
  anApprovedExtension,
  aRealRequest,
  effectsOf,
  inDays,
  oneRound,
  openWorkshop,
  operationOf,
  type ShopTenant,
  WEBHOOK_SECRET,
  type Workshop,
} from "@/lib/testing/workshop";
import { fulfilReads } from "./fulfil-reads";
import { orderRead } from "./order-read";
import { pause } from "./pause";
import { receiveEvent } from "./receive-event";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.close());

const codeOf = async (work: Promise<unknown>) => (await refusalOf(work)).code;

const aTenant = () => shop.tenant("exact", { callTimeoutMs: 6_000, leaseMs: 20_000 });

async function anExtension(tenant: ShopTenant) {
  const request = await aRealRequest(shop, tenant, inDays(3));
  const opId = await anApprovedExtension(shop, tenant, request, inDays(10));
  return { ...request, opId };
}

const extensions = (tenant: ShopTenant) => effectsOf(shop, tenant, { kind: "extended" });

test("BL-6 PV-4: pausing needs a reason without personal data, which goes to the vault, and is history with its actor", async () => {
  const tenant = await aTenant();
  const { ctx, owner } = shop.ledger;
  const { tenantId, connectionId } = tenant;
  const { first, second } = await twoOnCall(shop, tenant);
  const wish = { scope: { scope: "connection", connectionId }, reviewAfter: "4h" } as const;
  expect(await codeOf(pause(ctx, first, { ...wish, reason: "  " }))).toBe("reason_empty");
  expect(await codeOf(pause(ctx, first, { ...wish, reason: "ask pat@example.com" }))).toBe(
    "personal_data",
  );
  const key = await anApiKey(owner, first);
  const compliance = await aMember(owner, tenantId, "compliance");
  for (const actor of [tenant.approver, compliance, key]) {
    expect(await codeOf(pause(ctx, actor, { ...wish, reason: "5xx storm" }))).toBe("not_permitted");
  }
  const other = await aTenant();
  const foreign = { scope: "connection", connectionId: other.connectionId } as const;
  expect(await codeOf(pause(ctx, first, { ...wish, scope: foreign, reason: "5xx storm" }))).toBe(
    "not_found",
  );

  const made = await pause(ctx, first, { ...wish, reason: "5xx storm" });
  const again = await pause(ctx, second, { ...wish, reason: "Me too." });
  expect(again).toEqual({ ...made, already: true });
  const [row, ...more] = await owner.pause.findMany({ where: { tenantId } });
  expect(more).toEqual([]);
  expect(row?.reviewAt?.getTime()).toBe((row?.pausedAt.getTime() ?? 0) + 4 * 3_600_000);
  const text = await asTenant(ctx.db, tenantId, (tx) =>
    resolveText(tx, { tenantId, vaultKey: ctx.vaultKey }, row?.reasonEntry ?? "", "test", "user:t"),
  );
  expect(text).toEqual({ text: "5xx storm", digest: row?.reasonDigest });
  const events = await owner.controlEvent.findMany({ where: { tenantId } });
  expect(events).toMatchObject([
    { kind: "paused", actor: `user:${first.id}`, about: `switch:${made.pauseId}` },
  ]);
  expect(JSON.stringify(events)).not.toContain("storm");
});

test("BL-6 CL-3: an operation that was claimed when the switch came returns to scheduled, and no call leaves", async () => {
  const tenant = await aTenant();
  const { first } = await twoOnCall(shop, tenant);
  const { opId } = await anExtension(tenant);
  const worker = await shop.worker();
  const [hand] = await claimDueWork(worker, 1);
  expect(hand?.claim.opId).toBe(opId);
  await pauseNow(shop, first, { scope: "kind", kind: "extend" });
  if (hand) await executeClaim(worker, hand);
  expect(await operationOf(shop, tenant, opId)).toMatchObject({ state: "scheduled", attempts: 0 });
  expect(await claimDueWork(worker, 8)).toEqual([]);
  expect(await extensions(tenant)).toEqual([]);
});

test("BL-6: while paused an unknown outcome is still looked up, a page still gets its read, and events are recorded", async () => {
  const tenant = await aTenant();
  const { first } = await twoOnCall(shop, tenant);
  const { opId, ref, platformRef } = await anExtension(tenant);
  await shop.sandbox.control.addFault(tenant.account.id, {
    fault: "answer_delayed",
    operation: "extend",
    parameters: { delayMs: 7_000 },
  });
  const worker = await shop.worker();
  const [hand] = await claimDueWork(worker, 1);
  if (!hand) throw new Error("the extension was not claimed");
  const underWay = executeClaim(worker, hand);
  await waitUntil(async () => (await extensions(tenant)).length === 1, {
    what: "the call is under way",
  });
  await pauseNow(shop, first);
  await underWay;
  expect((await operationOf(shop, tenant, opId)).state).toBe("needs_reconcile");

  await orderRead(shop.ledger.ctx, first, ref);
  expect(await fulfilReads(worker)).toBe(1);
  const at = new Date();
  const body = JSON.stringify({
    id: "evt_paused",
    type: "request.viewed",
    timestamp: at.toISOString(),
    data: { request_id: platformRef, client_reference: null, status: "viewed" },
  });
  await receiveEvent(shop.ledger.ctx, {
    connectionId: tenant.connectionId,
    raw: Buffer.from(body),
    headers: {
      "webhook-id": "evt_paused",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(WEBHOOK_SECRET).sign("evt_paused", at, body),
    },
  });
  const { tenantId } = tenant;
  expect(await shop.ledger.owner.inboxEvent.count({ where: { tenantId } })).toBe(1);
  await waitUntil(
    async () => {
      await oneRound(worker);
      return (await operationOf(shop, tenant, opId)).state === "done";
    },
    { what: "the look has settled it" },
  );
  expect(await extensions(tenant)).toHaveLength(1);
});
