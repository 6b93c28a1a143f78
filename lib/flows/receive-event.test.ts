import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimDueWork } from "@/lib/flows/claim-work";
import { executeClaim } from "@/lib/flows/execute";
import { receivePatiently } from "@/lib/testing/deliveries";
import { waitUntil } from "@/lib/testing/processes";
import { anApprovedSend } from "@/lib/testing/sends";
import {
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
import { applyWaitingEvents } from "./apply-waiting-events";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.close());

const OTHER_SECRET = "whsec_b3Blbi1jYXNlLXNpZ25pbmcta2V5LTAwMg==";

function delivery({ connectionId }: ShopTenant, id: string, body: string, secret = WEBHOOK_SECRET) {
  const at = new Date();
  return {
    connectionId,
    raw: Buffer.from(body),
    headers: {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign(id, at, body),
    },
  };
}

function sentEvent(id: string, platformRef: string, opId: string): string {
  const data = { request_id: platformRef, client_reference: opId, status: "sent" };
  return JSON.stringify({ id, type: "request.sent", timestamp: new Date().toISOString(), data });
}

const inbox = (tenant: ShopTenant) =>
  shop.ledger.owner.inboxEvent.findMany({ where: { tenantId: tenant.tenantId } });

test("IN-4 RC-6 C-13: an event that overtakes the answer of its own send waits, and is applied once the send is found", async () => {
  const tenant = await shop.tenant("exact", { leaseMs: 60_000, callTimeoutMs: 600 });
  const { opId } = await anApprovedSend(shop, tenant, inDays(9));
  await shop.sandbox.control.addFault(tenant.account.id, {
    fault: "answer_delayed",
    operation: "send",
  });
  const dying = await shop.worker({ chance: () => 0 });
  const [hand] = await claimDueWork(dying, 1);
  if (!hand) throw new Error("the send was not claimed");
  // The worker dies after the call left: its outcome is never written.
  const lost = executeClaim({ ...dying, db: neverAgain(dying.db) }, hand).catch(() => undefined);
  const [effect] = await waitUntil(
    async () => {
      const effects = await effectsOf(shop, tenant, { clientReference: opId });
      return effects.length > 0 && effects;
    },
    { timeoutMs: 30_000, what: "the platform has sent it" },
  );
  const platformRef = effect?.request_id ?? "";

  const event = sentEvent("evt_overtakes", platformRef, opId);
  const first = await receivePatiently(shop.ledger.ctx, delivery(tenant, "evt_overtakes", event));
  const again = await receivePatiently(shop.ledger.ctx, delivery(tenant, "evt_overtakes", event));
  expect([first, again]).toEqual(["unmatched", "duplicate"]);

  await lost;
  await shop.ledger.owner.$executeRaw`
    UPDATE operations SET lease_until = ledger_now() WHERE op_id = ${opId}::uuid`;
  const worker = await shop.worker();
  await waitUntil(
    async () => {
      await oneRound(worker);
      return (await operationOf(shop, tenant, opId)).state === "done";
    },
    { timeoutMs: 30_000, what: "the send is found" },
  );
  expect(await operationOf(shop, tenant, opId)).toMatchObject({ platformRef, attempts: 1 });
  expect(await inbox(tenant)).toMatchObject([{ outcome: "received", copies: 2 }]);
  await applyWaitingEvents(worker);
  expect(await inbox(tenant)).toMatchObject([{ outcome: "no_change", copies: 2 }]);
  expect(await effectsOf(shop, tenant, { clientReference: opId, kind: "sent" })).toHaveLength(1);
});

/** A database that the dying worker reaches for two more transactions: the intent is stored, the outcome is not. */
function neverAgain<T extends object>(database: T): T {
  let left = 2;
  return new Proxy(database, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property);
      if (property !== "$transaction" || typeof value !== "function") {
        return typeof value === "function" ? value.bind(target) : value;
      }
      left -= 1;
      if (left < 0) return () => Promise.reject(new Error("the worker is dead"));
      return value.bind(target);
    },
  });
}

test("IN-1: a body signed with another secret is refused and leaves nothing", async () => {
  const tenant = await shop.tenant("exact");
  const request = await aRealRequest(shop, tenant, inDays(4));
  const body = sentEvent("evt_foreign", request.platformRef, "none");

  const received = await receivePatiently(
    shop.ledger.ctx,
    delivery(tenant, "evt_foreign", body, OTHER_SECRET),
  );

  expect(received).toBe("refused");
  expect(await inbox(tenant)).toEqual([]);
});

test("IN-4: an authentic event about an unknown request, and one that cannot be read, go to a person", async () => {
  const tenant = await shop.tenant("exact");
  const unknown = sentEvent("evt_unknown", "env_nobody", "none");
  const twice = '{"type":"request.sent","type":"request.voided"}';

  expect(await receivePatiently(shop.ledger.ctx, delivery(tenant, "evt_unknown", unknown))).toBe(
    "quarantined",
  );
  expect(await receivePatiently(shop.ledger.ctx, delivery(tenant, "evt_twice", twice))).toBe(
    "quarantined",
  );

  const items = await shop.ledger.owner.reviewItem.findMany({
    where: { tenantId: tenant.tenantId },
    orderBy: { reason: "asc" },
  });
  expect(items.map(({ reason, owner }) => [reason, owner])).toEqual([
    ["event_duplicate_members", "team:admins"],
    ["event_request_unknown", "team:on-call"],
  ]);
});

test("RC-6: an event about a known request orders one authoritative read and hastens its looks", async () => {
  const tenant = await shop.tenant("exact");
  const request = await aRealRequest(shop, tenant, inDays(4));
  const body = sentEvent("evt_known", request.platformRef, "none");

  const received = await receivePatiently(shop.ledger.ctx, delivery(tenant, "evt_known", body));

  expect(received).toBe("no_change");
  const orders = await shop.ledger.owner.readOrder.findMany({
    where: { tenantId: tenant.tenantId },
  });
  expect(orders).toMatchObject([{ requestRef: request.ref, orderedBy: "platform:sbx-1" }]);
});
