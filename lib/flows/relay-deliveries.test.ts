import { afterAll, beforeAll, expect, test } from "vitest";
import { DELIVERY_TRIES_MAX, type OutboxType } from "@/lib/domain/outbox";
import type { Deliver } from "@/lib/providers/delivery";
import { asTenant } from "@/lib/store/db";
import { releaseOutbox, writeOutbox } from "@/lib/store/outbox";
import { newSubscriberSecret, sealSubscriberSecret } from "@/lib/store/subscriber-secrets";
import {
  aSubscriber,
  relayAll,
  relayRound,
  releasedEvents,
  shopDelivery,
  type TestSubscriber,
} from "@/lib/testing/outbox";
import { waitUntil } from "@/lib/testing/processes";
import { aRequest } from "@/lib/testing/tenants";
import { openWorkshop, type ShopTenant, type Workshop } from "@/lib/testing/workshop";
import { claimDueDeliveries, relayDelivery } from "./relay-deliveries";
import type { WorkerContext } from "./worker-context";

let shop: Workshop;
let worker: WorkerContext;
let deliver: Deliver;
beforeAll(async () => {
  shop = await openWorkshop();
  worker = await shop.worker();
  deliver = shopDelivery(shop);
});
afterAll(() => shop.close());

const received = ({ receiver }: TestSubscriber) => shop.sandbox.control.received(receiver);

async function receivedIds(subscriber: TestSubscriber): Promise<readonly string[]> {
  return (await received(subscriber)).map((one) => one.webhook_id);
}

function answering(
  { receiver, secret }: TestSubscriber,
  answer: { status?: number; times?: number; delay_ms?: number; location?: string },
) {
  return shop.sandbox.control.putReceiver(receiver, { secrets: [secret], ...answer });
}

const deliveriesOf = ({ id }: TestSubscriber) =>
  shop.ledger.owner.outboxDelivery.findMany({
    where: { subscriberId: id },
    orderBy: { seq: "asc" },
  });

const reviewsOf = ({ id }: TestSubscriber) =>
  shop.ledger.owner.reviewItem.findMany({ where: { subscriberId: id } });

/** Lets everything that waits be due. */
async function comeDue({ tenantId }: ShopTenant): Promise<void> {
  await shop.ledger.owner.outboxDelivery.updateMany({
    where: { tenantId, state: { in: ["queued", "retrying"] } },
    data: { nextTryAt: new Date(0) },
  });
}

/** What a worker that died leaves behind, once its lease has ended. */
async function endLeases({ tenantId }: ShopTenant): Promise<void> {
  await shop.ledger.owner.outboxDelivery.updateMany({
    where: { tenantId, leaseOwner: { not: null } },
    data: { leaseUntil: new Date(0), nextTryAt: new Date(0) },
  });
}

const END_AND_MORE: readonly OutboxType[] = [
  "request.expired",
  "request.completed",
  "request.voided",
];

test("OB-1: events of one request arrive in order, each once, signed, with opaque references only (PV-4)", async () => {
  const tenant = await shop.tenant("exact");
  const subscriber = await aSubscriber(shop, tenant);
  const { ids, ref } = await releasedEvents(shop, tenant, END_AND_MORE);
  await relayAll(worker, deliver);
  const got = await received(subscriber);
  expect(got.map((one) => one.webhook_id)).toEqual(ids);
  for (const one of got) {
    expect(one).toMatchObject({ verified: true, signatures: 1, answered: 200 });
    expect(Object.keys(JSON.parse(one.body))).toEqual(["type", "timestamp", "data"]);
    expect(JSON.parse(one.body).data).toEqual({ request_ref: ref });
  }
  const rows = await deliveriesOf(subscriber);
  expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual(
    ids.map(() => ["delivered", 1]),
  );
});

test("OB-1: a later event waits while an earlier one of its request is not taken; other requests go on", async () => {
  const tenant = await shop.tenant("exact");
  const subscriber = await aSubscriber(shop, tenant);
  await answering(subscriber, { status: 500, times: 1 });
  const first = await releasedEvents(shop, tenant, END_AND_MORE);
  await relayAll(worker, deliver);
  expect(await receivedIds(subscriber)).toEqual([first.ids[0]]);
  const other = await releasedEvents(shop, tenant, ["request.completed"]);
  await relayAll(worker, deliver);
  expect(await receivedIds(subscriber)).toEqual([first.ids[0], other.ids[0]]);
  await comeDue(tenant);
  await relayAll(worker, deliver);
  expect(await receivedIds(subscriber)).toEqual([first.ids[0], other.ids[0], ...first.ids]);
});

test("OB-1: a subscriber that is down for an hour gets everything afterwards, under the same ids and in order", async () => {
  const tenant = await shop.tenant("exact");
  const subscriber = await aSubscriber(shop, tenant);
  await answering(subscriber, { status: 503 });
  const { ids } = await releasedEvents(shop, tenant, END_AND_MORE);
  let downForMs = 0;
  while (downForMs < 3_600_000) {
    await relayAll(worker, deliver);
    const [head] = await deliveriesOf(subscriber);
    expect(head?.state).toBe("retrying");
    downForMs += (head?.nextTryAt.getTime() ?? 0) - (head?.lastAt?.getTime() ?? 0);
    await comeDue(tenant);
  }
  const tries = (await received(subscriber)).length;
  expect(tries).toBeLessThan(DELIVERY_TRIES_MAX);
  await answering(subscriber, { status: 200 });
  await relayAll(worker, deliver);
  const got = await receivedIds(subscriber);
  expect(got.slice(0, tries)).toEqual(Array(tries).fill(ids[0]));
  expect(got.slice(tries)).toEqual(ids);
  expect(await reviewsOf(subscriber)).toEqual([]);
});

test("OB-1: after bounded tries a delivery is a dead letter with one review item, and the next event goes on", async () => {
  const tenant = await shop.tenant("exact");
  const subscriber = await aSubscriber(shop, tenant);
  await answering(subscriber, { status: 500, times: DELIVERY_TRIES_MAX });
  const { ids } = await releasedEvents(shop, tenant, ["request.expired", "request.completed"]);
  for (let round = 0; round < DELIVERY_TRIES_MAX; round += 1) {
    await relayRound(worker, deliver);
    await comeDue(tenant);
  }
  await relayAll(worker, deliver);
  const rows = await deliveriesOf(subscriber);
  expect(rows.map(({ state }) => state)).toEqual(["dead", "delivered"]);
  expect((await receivedIds(subscriber)).filter((id) => id === ids[0])).toHaveLength(
    DELIVERY_TRIES_MAX,
  );
  const reviews = await reviewsOf(subscriber);
  expect(reviews.map(({ reason, owner }) => [reason, owner])).toEqual([
    ["delivery_dead", "team:admins"],
  ]);
  expect(JSON.parse(reviews[0]?.evidence ?? "")).toEqual({
    delivery: rows[0]?.id,
    status: 500,
    n: DELIVERY_TRIES_MAX,
  });
});

test("OB-1: 410 stops the subscriber with a review item, keeps what waits, and nothing more is sent", async () => {
  const tenant = await shop.tenant("exact");
  const subscriber = await aSubscriber(shop, tenant);
  await answering(subscriber, { status: 410 });
  await releasedEvents(shop, tenant, ["request.expired", "request.completed"]);
  await relayAll(worker, deliver);
  await comeDue(tenant);
  await relayAll(worker, deliver);
  expect(await received(subscriber)).toHaveLength(1);
  expect(
    await shop.ledger.owner.subscriber.findFirst({ where: { id: subscriber.id } }),
  ).toMatchObject({ state: "stopped", stoppedWhy: "gone", stoppedBy: "system:relay" });
  expect((await deliveriesOf(subscriber)).map(({ state }) => state)).toEqual([
    "retrying",
    "queued",
  ]);
  expect(await reviewsOf(subscriber)).toMatchObject([{ reason: "delivery_gone" }]);
});

test("OB-1: a redirect to an internal address is not followed and counts as not taken", async () => {
  const tenant = await shop.tenant("exact");
  const inside = await aSubscriber(shop, tenant, { types: ["operation.settled"] });
  const subscriber = await aSubscriber(shop, tenant);
  await answering(subscriber, {
    status: 307,
    location: `${shop.sandbox.url}/receiver/${inside.receiver}`,
  });
  await releasedEvents(shop, tenant, ["request.completed"]);
  await relayAll(worker, deliver);
  expect(await received(inside)).toEqual([]);
  expect(await deliveriesOf(subscriber)).toMatchObject([
    { state: "retrying", lastStatus: 307, lastError: "redirect" },
  ]);
});

test("OB-1: an address that leads into an internal network stops the subscriber before anything is sent", async () => {
  const tenant = await shop.tenant("exact");
  const { port } = new URL(shop.sandbox.url);
  for (const host of ["localhost", "[::1]", "127.0.0.2"]) {
    const subscriber = await aSubscriber(shop, tenant, { url: `http://${host}:${port}/x` });
    await releasedEvents(shop, tenant, ["request.completed"]);
    await relayAll(worker, deliver);
    expect(await deliveriesOf(subscriber)).toMatchObject([{ lastError: "target_refused" }]);
    expect(await reviewsOf(subscriber)).toMatchObject([{ reason: "delivery_target_refused" }]);
    expect(
      await shop.ledger.owner.subscriber.findFirst({ where: { id: subscriber.id } }),
    ).toMatchObject({ state: "stopped", stoppedWhy: "target_refused" });
  }
});

test("OB-1: a slow subscriber is not waited for beyond the time-out and gets the same message again", async () => {
  const tenant = await shop.tenant("exact");
  const subscriber = await aSubscriber(shop, tenant);
  await answering(subscriber, { delay_ms: 2_000, times: 1 });
  const { ids } = await releasedEvents(shop, tenant, ["request.completed"]);
  const hurried: Deliver = (call) => deliver({ ...call, timeoutMs: 200 });
  await relayAll(worker, hurried);
  expect(await deliveriesOf(subscriber)).toMatchObject([
    { state: "retrying", lastError: "timeout" },
  ]);
  await comeDue(tenant);
  await relayAll(worker, deliver);
  expect(await receivedIds(subscriber)).toEqual([ids[0], ids[0]]);
});

test("OB-1: during a rotation both secrets sign, and after it only the new one", async () => {
  const tenant = await shop.tenant("exact");
  const subscriber = await aSubscriber(shop, tenant);
  const fresh = newSubscriberSecret();
  const { tenantId } = tenant;
  const row = await shop.ledger.owner.subscriber.findFirstOrThrow({ where: { id: subscriber.id } });
  const sealed = sealSubscriberSecret(shop.ledger.ctx.vaultKey, tenantId, subscriber.id, fresh);
  const until = (previousUntil: Date) =>
    shop.ledger.owner.subscriber.update({
      where: { tenantId_id: { tenantId, id: subscriber.id } },
      data: {
        secretId: fresh.id,
        secretSealed: sealed,
        previousId: row.secretId,
        previousSealed: row.secretSealed,
        previousUntil,
      },
    });
  await until(new Date(Date.now() + 3_600_000));
  // The receiver knows the old secret only, then the new one only: both accept the same message.
  for (const secret of [subscriber.secret, fresh.secret]) {
    await answering({ ...subscriber, secret }, {});
    await releasedEvents(shop, tenant, ["request.completed"]);
    await relayAll(worker, deliver);
  }
  await until(new Date(Date.now() - 1_000));
  for (const secret of [subscriber.secret, fresh.secret]) {
    await answering({ ...subscriber, secret }, {});
    await releasedEvents(shop, tenant, ["request.completed"]);
    await relayAll(worker, deliver);
  }
  expect((await received(subscriber)).map((one) => [one.signatures, one.verified])).toEqual([
    [2, true],
    [2, true],
    [1, false],
    [1, true],
  ]);
});

test("OB-1 CL-1: of many workers at once each delivery has one, and a request keeps its order", async () => {
  const tenant = await shop.tenant("exact");
  const subscriber = await aSubscriber(shop, tenant);
  const requests = [];
  for (let n = 0; n < 6; n += 1) requests.push(await releasedEvents(shop, tenant, END_AND_MORE));
  const workers = await Promise.all(Array.from({ length: 4 }, () => shop.worker()));
  await Promise.all(workers.map((one) => relayAll(one, deliver)));
  await relayAll(worker, deliver);
  const got = await receivedIds(subscriber);
  expect(got).toHaveLength(18);
  for (const { ids } of requests) expect(got.filter((id) => ids.includes(id))).toEqual(ids);
});

test("OB-1: a worker that dies after sending leaves its lease; the message goes out again, and a late report changes nothing", async () => {
  const tenant = await shop.tenant("exact");
  const subscriber = await aSubscriber(shop, tenant);
  const { ids } = await releasedEvents(shop, tenant, ["request.completed"]);
  const [claimed] = await claimDueDeliveries(worker, 16);
  if (!claimed) throw new Error("the delivery was not claimed");
  // While the lease holds nobody else sends it.
  expect(await claimDueDeliveries(await shop.worker(), 16)).toEqual([]);
  await endLeases(tenant);
  const other = await shop.worker();
  await relayAll(other, deliver);
  await relayDelivery(
    worker,
    async () => ({
      outcome: "gone",
      status: 410,
      retryAfterMs: null,
      durationMs: 1,
    }),
    claimed,
  );
  expect(await deliveriesOf(subscriber)).toMatchObject([{ state: "delivered", attempts: 2 }]);
  expect(await reviewsOf(subscriber)).toEqual([]);
  expect(await receivedIds(subscriber)).toEqual(ids);
  const log = await shop.ledger.owner.deliveryAttempt.findMany({
    where: { deliveryId: claimed.id },
    orderBy: { attempt: "asc" },
  });
  expect(log.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
    [1, "gone"],
    [2, "delivered"],
  ]);
});

test("OB-1: when the database ends the worker's sessions between sending and reporting, the same message comes again", async () => {
  const tenant = await shop.tenant("exact");
  const subscriber = await aSubscriber(shop, tenant);
  const { ids } = await releasedEvents(shop, tenant, ["request.completed"]);
  const [claimed] = await claimDueDeliveries(worker, 16);
  if (!claimed) throw new Error("the delivery was not claimed");
  const cut: Deliver = async (call) => {
    const answer = await deliver(call);
    await shop.ledger.owner.$executeRaw`
      SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    return answer;
  };
  const lost = { ...worker, db: failingOnce(worker.db) };
  await expect(relayDelivery(lost, cut, claimed)).rejects.toThrow();
  // Until the pools have noticed what was ended, they may hand out a dead session.
  const pools = [shop.ledger.owner, shop.ledger.ctx.db, worker.db, worker.owner];
  await waitUntil(
    () =>
      Promise.all(pools.map((pool) => pool.$queryRaw`SELECT 1`)).then(
        () => true,
        () => false,
      ),
    { timeoutMs: 10_000, what: "every pool has a living session" },
  );
  await endLeases(tenant);
  await relayAll(worker, deliver);
  expect(await receivedIds(subscriber)).toEqual([ids[0], ids[0]]);
  expect(await deliveriesOf(subscriber)).toMatchObject([{ state: "delivered", attempts: 2 }]);
});

/** A database that is away for whoever holds this handle, whether or not a pool would have found a fresh session. */
function failingOnce(db: WorkerContext["db"]): WorkerContext["db"] {
  return new Proxy(db, {
    get(target, name) {
      if (name === "$transaction") return () => Promise.reject(new Error("the session has ended"));
      return Reflect.get(target, name);
    },
  });
}

test("IN-9: what waits for its read is shown as held and never sent; its release sends it", async () => {
  const tenant = await shop.tenant("exact");
  const subscriber = await aSubscriber(shop, tenant);
  const { tenantId } = tenant;
  const { ref, receiptId } = await aRequest(shop.ledger.owner, tenant);
  const { db } = shop.ledger.ctx;
  const end = { requestRef: ref, type: "request.completed", cause: {}, released: false } as const;
  await asTenant(db, tenantId, (tx) => writeOutbox(tx, tenantId, end));
  await relayAll(worker, deliver);
  expect(await received(subscriber)).toEqual([]);
  expect(await deliveriesOf(subscriber)).toMatchObject([{ state: "held", attempts: 0 }]);
  // Another end agrees with nothing that waits.
  const release = (status: string) =>
    asTenant(db, tenantId, (tx) => releaseOutbox(tx, tenantId, ref, status, receiptId));
  expect(await release("voided")).toBe(0);
  await relayAll(worker, deliver);
  expect(await received(subscriber)).toEqual([]);
  expect(await release("completed")).toBe(1);
  await relayAll(worker, deliver);
  expect(await received(subscriber)).toHaveLength(1);
  expect(await deliveriesOf(subscriber)).toMatchObject([{ state: "delivered", attempts: 1 }]);
});

test("PV-2: events of one tenant never reach a subscriber of another", async () => {
  const [ours, theirs] = [await shop.tenant("exact"), await shop.tenant("exact")];
  const subscriber = await aSubscriber(shop, ours);
  const other = await aSubscriber(shop, theirs);
  const { ids } = await releasedEvents(shop, theirs, ["request.completed"]);
  await relayAll(worker, deliver);
  expect(await received(subscriber)).toEqual([]);
  expect(await receivedIds(other)).toEqual(ids);
});

test("OB-1: a settled operation is told of once by the statement that settles it, where somebody asked for it", async () => {
  const [asking, silent] = [await shop.tenant("exact"), await shop.tenant("exact")];
  await aSubscriber(shop, silent);
  const subscriber = await aSubscriber(shop, asking, { types: ["operation.settled"] });
  for (const tenant of [asking, silent]) {
    const { ref } = await aRequest(shop.ledger.owner, tenant);
    await shop.ledger.owner.$executeRaw`
      INSERT INTO operations (tenant_id, op_id, op_key, kind, request_ref, connection_id, state, reason, canonical_text,
        payload_hash, approval_id, proposed_by, due_at, priority, event_actor)
      VALUES (${tenant.tenantId}::uuid, gen_random_uuid(), gen_random_uuid()::text, 'extend', ${ref},
        ${tenant.connectionId}::uuid, 'proposed', 'awaiting_approval', '{}', repeat('0', 64), gen_random_uuid(),
        'user:x', ledger_now(), 1, 'user:x')`;
    await shop.ledger.owner.$executeRaw`
      UPDATE operations SET state = 'obsolete', reason = 'withdrawn', event_actor = 'user:x'
      WHERE tenant_id = ${tenant.tenantId}::uuid`;
  }
  await relayAll(worker, deliver);
  const [told, ...more] = await received(subscriber);
  expect(more).toEqual([]);
  expect(JSON.parse(told?.body ?? "")).toMatchObject({
    type: "operation.settled",
    data: { kind: "extend", state: "obsolete", reason: "withdrawn" },
  });
  expect(
    await shop.ledger.owner.outboxEvent.findMany({ where: { tenantId: silent.tenantId } }),
  ).toEqual([]);
});
