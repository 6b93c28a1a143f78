import { afterAll, beforeAll, expect, test } from "vitest";
import type { RequestStatus } from "@/lib/domain/observation";
import { lateEvents } from "@/lib/store/inbox-waiting";
import {
  aKnownRequest,
  eventBody,
  inboxOf,
  mirrorOf,
  receivePatiently,
  signedDelivery,
  workerSeeing,
} from "@/lib/testing/deliveries";
import { anApprovedSend } from "@/lib/testing/sends";
import { inDays, openWorkshop, type ShopTenant, type Workshop } from "@/lib/testing/workshop";
import { applyWaitingEvents } from "./apply-waiting-events";
import { claimDueWork } from "./claim-work";
import { pollRequests } from "./poll-requests";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.close());

const setPolling = ({ tenantId, connectionId }: ShopTenant, polling: string) =>
  shop.ledger.owner.connection.update({
    where: { tenantId_id: { tenantId, id: connectionId } },
    data: { polling },
  });

/** Makes every request of the tenant due for a poll, with a mirror that is a day old. */
const ageMirrors = ({ tenantId }: ShopTenant) =>
  shop.ledger.owner.request.updateMany({
    where: { tenantId },
    data: { nextPollAt: new Date(0), mirrorReadAt: new Date(Date.now() - 86_400_000) },
  });

test("IN-7: what a poll sees goes through the inbox, once per state, and moves the mirror as a read", async () => {
  const tenant = await shop.tenant("exact");
  await setPolling(tenant, "always");
  const ref = await aKnownRequest(shop, tenant, "req_polled");
  const shown = new Map<string, RequestStatus>([["req_polled", "viewed"]]);
  const { worker, reads } = await workerSeeing(shop, shown);

  await ageMirrors(tenant);
  await pollRequests(worker);
  await ageMirrors(tenant);
  await pollRequests(worker);
  expect(reads).toHaveLength(2);
  expect(await inboxOf(shop, tenant)).toMatchObject([
    { source: "poll", type: "poll.viewed", outcome: "applied", copies: 2, requestRef: ref },
  ]);

  shown.set("req_polled", "completed");
  await ageMirrors(tenant);
  await pollRequests(worker);
  expect(await mirrorOf(shop, tenant, ref)).toMatchObject({
    mirrorStatus: "completed",
    mirrorTerminal: true,
  });
  expect(
    await shop.ledger.owner.outboxEvent.findMany({ where: { tenantId: tenant.tenantId } }),
  ).toMatchObject([{ type: "request.completed", releasedAt: expect.any(Date) }]);
  await ageMirrors(tenant);
  await pollRequests(worker);
  expect(reads).toHaveLength(3);
  expect(await shop.ledger.owner.reviewItem.count({ where: { tenantId: tenant.tenantId } })).toBe(
    0,
  );
});

test("IN-7 PL-7: a connection that is polled when silent is read while nothing comes in, and within its read budget", async () => {
  const tenant = await shop.tenant("exact");
  const { tenantId, connectionId } = tenant;
  await setPolling(tenant, "when_silent");
  await aKnownRequest(shop, tenant, "req_silent");
  const { worker, reads } = await workerSeeing(shop, new Map([["req_silent", "sent"]]));

  const delivery = signedDelivery(tenant, "s1", eventBody("s1", "req_silent", "sent"));
  await receivePatiently(shop.ledger.ctx, delivery);
  await ageMirrors(tenant);
  await pollRequests(worker);
  expect(reads).toHaveLength(0);

  await shop.ledger.owner.inboxEvent.updateMany({
    where: { tenantId },
    data: { receivedAt: new Date(Date.now() - 7_200_000) },
  });
  await pollRequests(worker);
  expect(reads).toHaveLength(1);

  await shop.ledger.owner.connectionLimit.create({
    data: { tenantId, connectionId, readsPerHour: 1, changedBy: "user:test" },
  });
  await ageMirrors(tenant);
  await pollRequests(worker);
  expect(reads).toHaveLength(1);
  const [row] = await shop.ledger.owner.request.findMany({ where: { tenantId } });
  expect(row?.nextPollAt.getTime()).toBeGreaterThan(Date.now() + 1_800_000);
});

test("IN-7: without the setting nothing is polled", async () => {
  const tenant = await shop.tenant("exact");
  await aKnownRequest(shop, tenant, "req_told");
  const { worker, reads } = await workerSeeing(shop, new Map([["req_told", "sent"]]));
  await ageMirrors(tenant);
  await pollRequests(worker);
  expect(reads).toEqual([]);
});

test("IN-2 IN-4: an unmatched event is an alert while it waits, goes to a person after a bound, and is set aside when no send is open", async () => {
  const tenant = await shop.tenant("exact", { leaseMs: 60_000 });
  const { tenantId } = tenant;
  const { owner } = shop.ledger;
  await anApprovedSend(shop, tenant, inDays(9));
  const worker = await shop.worker();
  const [hand] = await claimDueWork(worker, 1);
  expect(hand?.claim.tenantId).toBe(tenantId);
  const deliver = (id: string) =>
    receivePatiently(
      shop.ledger.ctx,
      signedDelivery(tenant, id, eventBody(id, `env_${id}`, "sent")),
    );

  expect(await deliver("u1")).toBe("unmatched");
  expect((await lateEvents(owner, 60_000)).filter((late) => late.tenantId === tenantId)).toEqual(
    [],
  );
  const where = { tenantId, identity: "id:u1" };
  await owner.inboxEvent.updateMany({
    where,
    data: { receivedAt: new Date(Date.now() - 3_600_000) },
  });
  const [late] = (await lateEvents(owner, 60_000)).filter((one) => one.tenantId === tenantId);
  expect(late).toMatchObject({ state: "unmatched", count: 1 });
  await applyWaitingEvents(worker);
  expect(await owner.inboxEvent.findMany({ where })).toMatchObject([{ outcome: "quarantined" }]);

  expect(await deliver("u2")).toBe("unmatched");
  await owner.$executeRaw`
    UPDATE operations SET state = 'obsolete', reason = 'withdrawn', lease_owner = NULL, lease_until = NULL,
      event_actor = 'user:test', event_evidence = '{}' WHERE tenant_id = ${tenantId}::uuid`;
  await applyWaitingEvents(worker);
  await applyWaitingEvents(worker);
  const items = await owner.reviewItem.findMany({
    where: { tenantId },
    orderBy: { openedAt: "asc" },
  });
  expect(items.map(({ reason, owner: who }) => [reason, who])).toEqual([
    ["event_unmatched_too_long", "team:on-call"],
    ["event_request_unknown", "team:on-call"],
  ]);
});
