import { afterAll, beforeAll, expect, test } from "vitest";
import { eventBody, inboxOf, mirrorOf, signedDelivery } from "@/lib/testing/deliveries";
import { waitUntil } from "@/lib/testing/processes";
import { aSentRequest } from "@/lib/testing/timers";
import { startWebhookConsole, type WebhookConsole } from "@/lib/testing/webhook-console";
import {
  inDays,
  openWorkshop,
  type ShopTenant,
  WEBHOOK_SECRET,
  type Workshop,
} from "@/lib/testing/workshop";
import { applyWaitingEvents } from "./apply-waiting-events";
import { fulfilReads } from "./fulfil-reads";

/** The sandbox platform tells a real console process over HTTP, and reads go to the platform over HTTP. */
let shop: Workshop;
let console: WebhookConsole;
beforeAll(async () => {
  shop = await openWorkshop();
  console = await startWebhookConsole(shop.ledger.url, shop.ledger.ctx.vaultKey);
});
afterAll(async () => {
  await console.child.stop(1_000);
  await shop.close();
});

/** A sent request of a tenant whose platform delivers its events to the console. */
async function aToldRequest(profile: "exact" | "revivable") {
  const tenant = await shop.tenant(profile);
  const { account, connectionId } = tenant;
  await shop.sandbox.control.putAccount(account.id, {
    apiKey: account.apiKey,
    profile,
    webhookUrl: `${console.url}/api/webhooks/${connectionId}`,
    webhookSecret: WEBHOOK_SECRET,
  });
  const worker = await shop.worker();
  return { tenant, worker, ...(await aSentRequest(shop, tenant, worker, inDays(9))) };
}

/** Waits until the platform's event about this status is in the inbox. */
function untilTold(tenant: ShopTenant, status: string) {
  return waitUntil(
    async () =>
      (await inboxOf(shop, tenant)).find(
        (one) => one.claimedStatus === status && one.outcome !== "received",
      ),
    { timeoutMs: 60_000, what: `the platform has told that it is ${status}` },
  );
}

/** What subscribers hear, and whether it is held back. */
async function toTell({ tenantId }: ShopTenant) {
  const rows = await shop.ledger.owner.outboxEvent.findMany({
    where: { tenantId },
    orderBy: { createdAt: "asc" },
  });
  return rows.map(({ type, heldReason }) => [type, heldReason]);
}

const endsTold = async (tenant: ShopTenant) =>
  (await toTell(tenant)).filter(([type]) => /expired|completed/.test(type ?? ""));

/** Delivers as a second data centre of the platform would, again until it is taken. */
function deliverLate(tenant: ShopTenant, id: string, body: string): Promise<number> {
  return waitUntil(
    async () => {
      const { connectionId, headers } = signedDelivery(tenant, id, body);
      const address = `${console.url}/api/webhooks/${connectionId}`;
      const { status } = await fetch(address, { method: "POST", headers, body });
      return status < 300 && status;
    },
    { timeoutMs: 60_000, what: "the late delivery is taken" },
  );
}

test("race: Completion event arrives after an expiry event; IN-5 IN-9: it changes nothing, the platform is read, and a person hears both ends and the answer", async () => {
  const { tenant, worker, ref, platformRef } = await aToldRequest("exact");
  await shop.sandbox.control.act(tenant.account.id, platformRef, { change: "expire" });
  await untilTold(tenant, "expired");
  await fulfilReads(worker);
  expect(await endsTold(tenant)).toEqual([["request.expired", null]]);

  const signedAt = new Date(Date.now() - 60_000).toISOString();
  const body = eventBody("evt_late", platformRef, "completed", { at: signedAt });
  expect(await deliverLate(tenant, "evt_late", body)).toBe(200);
  const late = await untilTold(tenant, "completed");
  expect(late).toMatchObject({ outcome: "no_change", contradicts: "expired" });
  expect(await mirrorOf(shop, tenant, ref)).toMatchObject({
    mirrorStatus: "expired",
    mirrorTerminal: true,
  });
  await applyWaitingEvents(worker);
  const items = () =>
    shop.ledger.owner.reviewItem.findMany({
      where: { tenantId: tenant.tenantId, reason: "contradicting_end" },
    });
  expect(await items()).toEqual([]);

  await fulfilReads(worker);
  await applyWaitingEvents(worker);
  await applyWaitingEvents(worker);
  const [item, ...more] = await items();
  expect(more).toEqual([]);
  expect(JSON.parse(item?.evidence ?? "{}")).toMatchObject({
    inbox: late.id,
    old: "expired",
    new: "completed",
    observed: "expired",
  });
  expect((await mirrorOf(shop, tenant, ref)).mirrorStatus).toBe("expired");
  expect(await endsTold(tenant)).toEqual([["request.expired", null]]);
});

test("IN-5 IN-9: where expired can be left, completed after it is taken from the read that shows it", async () => {
  const { tenant, worker, ref, platformRef } = await aToldRequest("revivable");
  const { control } = shop.sandbox;
  await control.act(tenant.account.id, platformRef, { change: "expire" });
  await untilTold(tenant, "expired");
  await fulfilReads(worker);
  expect(await mirrorOf(shop, tenant, ref)).toMatchObject({
    mirrorStatus: "expired",
    mirrorTerminal: false,
  });

  const expiresAt = inDays(12);
  await control.act(tenant.account.id, platformRef, {
    change: "set_expiry",
    expires_at: expiresAt,
  });
  await control.act(tenant.account.id, platformRef, { change: "complete" });
  await untilTold(tenant, "completed");
  expect((await mirrorOf(shop, tenant, ref)).mirrorStatus).toBe("expired");
  await fulfilReads(worker);
  expect(await mirrorOf(shop, tenant, ref)).toMatchObject({
    mirrorStatus: "completed",
    mirrorTerminal: true,
  });
  expect((await endsTold(tenant)).at(-1)).toEqual(["request.completed", null]);
});
