import { afterAll, beforeAll, expect, test } from "vitest";
import { deliveryBody, deliveryPage } from "@/lib/queries/delivery-page";
import { outboxPage } from "@/lib/queries/outbox-page";
import { OutboxQuerySchema } from "@/lib/queries/outbox-query";
import { subscriberPage, subscribersPage } from "@/lib/queries/subscribers-page";
import type { ControlEvent } from "@/lib/store/prisma/client";
import { relayAll, releasedEvents, shopDelivery } from "@/lib/testing/outbox";
import { aMember, anApiKey } from "@/lib/testing/tenants";
import { openWorkshop, type ShopTenant, type Workshop } from "@/lib/testing/workshop";
import type { Actor, ConsoleContext } from "./context";
import { discard, replay } from "./replay-deliveries";
import { endSubscriberSecret, rotateSubscriberSecret } from "./rotate-subscriber-secret";
import { addSubscriber, saveSubscriber } from "./save-subscriber";
import { sendTestEvent, startDeliveries, stopDeliveries } from "./switch-subscriber";
import type { WorkerContext } from "./worker-context";

let shop: Workshop;
let ctx: ConsoleContext;
let worker: WorkerContext;
beforeAll(async () => {
  shop = await openWorkshop();
  ctx = { ...shop.ledger.ctx, deliveryTargets: [new URL(shop.sandbox.url).host] };
  worker = await shop.worker();
});
afterAll(() => shop.close());

const relay = () => relayAll(worker, shopDelivery(shop));

interface Stage {
  readonly tenant: ShopTenant;
  readonly admin: Actor;
  readonly id: string;
  readonly secretId: string;
  readonly secret: string;
  readonly receiver: string;
}

/** A tenant with an admin who has added a subscriber at a receiver of the sandbox. */
async function stage(): Promise<Stage> {
  const tenant = await shop.tenant("exact");
  const admin = await aMember(shop.ledger.owner, tenant.tenantId, "admin");
  const receiver = `r-${tenant.slug}`;
  const added = await addSubscriber(ctx, admin, {
    name: "Books",
    url: `${shop.sandbox.url}/receiver/${receiver}`,
    eventTypes: ["request.completed", "request.expired"],
  });
  await shop.sandbox.control.putReceiver(receiver, { secrets: [added.secret] });
  return { tenant, admin, receiver, ...added };
}

const received = ({ receiver }: Stage) => shop.sandbox.control.received(receiver);

async function actsOf({ tenant, id }: Stage): Promise<readonly ControlEvent["kind"][]> {
  const rows = await shop.ledger.owner.controlEvent.findMany({
    where: { tenantId: tenant.tenantId, about: `subscriber:${id}` },
    orderBy: { at: "asc" },
  });
  return rows.map(({ kind }) => kind);
}

const listOf = ({ tenant }: Stage, query: Record<string, string> = {}) =>
  outboxPage(ctx.db, tenant.tenantId, OutboxQuerySchema.parse(query));

test("OB-1 PV-1: on-call and admins change subscribers, others and keys only read them", async () => {
  const { tenant, id, admin } = await stage();
  const wish = { name: "Other", url: "https://books.example/", eventTypes: ["request.voided"] };
  const other = wish as Parameters<typeof addSubscriber>[2];
  for (const actor of [
    tenant.proposer,
    await aMember(shop.ledger.owner, tenant.tenantId, "compliance"),
    await anApiKey(shop.ledger.owner, admin),
  ]) {
    for (const act of [
      () => addSubscriber(ctx, actor, other),
      () => saveSubscriber(ctx, actor, id, other),
      () => rotateSubscriberSecret(ctx, actor, id, "k"),
      () => endSubscriberSecret(ctx, actor, id),
      () => stopDeliveries(ctx, actor, id, "Moving house."),
      () => startDeliveries(ctx, actor, id),
      () => sendTestEvent(ctx, actor, id),
      () => replay(ctx, actor, [id]),
      () => discard(ctx, actor, id, "Not needed."),
    ]) {
      await expect(act()).rejects.toMatchObject({ code: "not_permitted" });
    }
  }
  const onCall = await aMember(shop.ledger.owner, tenant.tenantId, "on_call");
  await expect(addSubscriber(ctx, onCall, other)).resolves.toBeTruthy();
});

test("OB-1: addresses in internal networks, without https or with an account are refused when they are typed", async () => {
  const { tenant, admin } = await stage();
  const wish = { name: "In", eventTypes: ["request.voided"] } as const;
  for (const [url, code] of [
    ["https://127.0.0.1/x", "delivery_target_refused"],
    ["https://[::1]/x", "delivery_target_refused"],
    ["https://[::ffff:10.0.0.1]/x", "delivery_target_refused"],
    ["https://localhost:8080/x", "delivery_target_refused"],
    ["https://169.254.169.254/latest", "delivery_target_refused"],
    ["http://books.example/x", "fields_unusable"],
    ["ftp://books.example/x", "fields_unusable"],
    ["https://me:pw@books.example/x", "fields_unusable"],
    ["books", "fields_unusable"],
  ] as const) {
    await expect(addSubscriber(ctx, admin, { ...wish, url })).rejects.toMatchObject({ code });
  }
  expect((await subscribersPage(ctx.db, tenant.tenantId)).subscribers).toHaveLength(1);
});

test("OB-1: a name is taken once per tenant, and every change is on record", async () => {
  const made = await stage();
  const { admin, id } = made;
  const wish = { url: "https://books.example/hook", eventTypes: ["request.voided"] } as const;
  await expect(addSubscriber(ctx, admin, { ...wish, name: "books" })).rejects.toMatchObject({
    code: "subscriber_name_taken",
  });
  await saveSubscriber(ctx, admin, id, { ...wish, name: "Ledger books" });
  await saveSubscriber(ctx, admin, id, { ...wish, name: "Ledger books" });
  expect(await actsOf(made)).toEqual(["subscriber_added", "subscriber_changed"]);
  const page = await subscriberPage(ctx.db, made.tenant.tenantId, admin.id, id);
  expect(page?.subscriber).toMatchObject({ name: "Ledger books", eventTypes: ["request.voided"] });
  expect(page?.acts.map(({ sentence }) => sentence)).toEqual([
    "Changed: name, address, events.",
    "Added.",
  ]);
});

test("OB-1: a rotation leaves two secrets until the old one is ended; a stale screen changes nothing", async () => {
  const made = await stage();
  const { admin, id, tenant } = made;
  const rotated = await rotateSubscriberSecret(ctx, admin, id, made.secretId);
  await expect(rotateSubscriberSecret(ctx, admin, id, made.secretId)).rejects.toMatchObject({
    code: "subscriber_changed",
  });
  await sendTestEvent(ctx, admin, id);
  await relay();
  await endSubscriberSecret(ctx, admin, id);
  await expect(endSubscriberSecret(ctx, admin, id)).rejects.toMatchObject({
    code: "subscriber_changed",
  });
  await sendTestEvent(ctx, admin, id);
  await relay();
  await shop.sandbox.control.putReceiver(made.receiver, { secrets: [rotated.secret] });
  await sendTestEvent(ctx, admin, id);
  await relay();
  expect((await received(made)).map((one) => [one.signatures, one.verified])).toEqual([
    [2, true],
    [1, false],
    [1, true],
  ]);
  const stored = await shop.ledger.owner.subscriber.findFirstOrThrow({ where: { id } });
  const text = JSON.stringify([
    stored,
    await shop.ledger.owner.controlEvent.findMany({ where: { tenantId: tenant.tenantId } }),
  ]);
  for (const secret of [made.secret, rotated.secret]) expect(text).not.toContain(secret.slice(6));
});

test("OB-1: stopped deliveries are kept and go out in order when they are started; a stopped subscriber takes no test", async () => {
  const made = await stage();
  const { admin, id, tenant } = made;
  await expect(stopDeliveries(ctx, admin, id, "  ")).rejects.toMatchObject({
    code: "reason_empty",
  });
  await stopDeliveries(ctx, admin, id, "Their maintenance.");
  const { ids } = await releasedEvents(shop, tenant, ["request.expired", "request.completed"]);
  await relay();
  expect(await received(made)).toEqual([]);
  await expect(sendTestEvent(ctx, admin, id)).rejects.toMatchObject({ code: "subscriber_stopped" });
  await startDeliveries(ctx, admin, id);
  await relay();
  expect((await received(made)).map((one) => one.webhook_id)).toEqual(ids);
  expect(await actsOf(made)).toEqual([
    "subscriber_added",
    "subscriber_stopped",
    "subscriber_started",
  ]);
});

test("OB-1: starting one that answered 410 settles the question and tells it what waited", async () => {
  const made = await stage();
  const { admin, id, tenant } = made;
  const settings = { secrets: [made.secret] };
  await shop.sandbox.control.putReceiver(made.receiver, { ...settings, status: 410 });
  await releasedEvents(shop, tenant, ["request.completed"]);
  await relay();
  const reviews = () =>
    shop.ledger.owner.reviewItem.findMany({ where: { subscriberId: id, settledAt: null } });
  expect(await reviews()).toHaveLength(1);
  await shop.sandbox.control.putReceiver(made.receiver, settings);
  await startDeliveries(ctx, admin, id);
  await relay();
  expect(await reviews()).toEqual([]);
  expect((await received(made)).map(({ answered }) => answered)).toEqual([410, 200]);
});

test("OB-1: deliveries are sent again under the same message id, one or a selection; dead letters then ask nobody", async () => {
  const made = await stage();
  const { admin, id, tenant } = made;
  const first = await releasedEvents(shop, tenant, ["request.expired", "request.completed"]);
  await relay();
  await shop.ledger.owner.outboxDelivery.updateMany({
    where: { outboxId: first.ids[0] ?? "" },
    data: { state: "dead" },
  });
  await shop.ledger.owner.reviewItem.create({
    data: {
      tenantId: tenant.tenantId,
      id: made.id,
      subscriberId: id,
      reason: "delivery_dead",
      owner: "team:admins",
      evidence: "{}",
    },
  });
  const { rows } = await listOf(made);
  const answer = await replay(ctx, admin, [...rows.map((row) => row.id), made.tenant.connectionId]);
  expect(answer).toEqual({ replayed: 2, left: 1 });
  await relay();
  expect((await received(made)).map((one) => one.webhook_id)).toEqual([...first.ids, ...first.ids]);
  expect(
    await shop.ledger.owner.reviewItem.findMany({ where: { subscriberId: id, settledAt: null } }),
  ).toEqual([]);
  expect(await actsOf(made)).toEqual(["subscriber_added", "deliveries_replayed"]);
});

test("OB-1: a delivery closed without sending lets the next one go, and what has ended or is under way is not closed", async () => {
  const made = await stage();
  const { admin, tenant } = made;
  const { ids } = await releasedEvents(shop, tenant, ["request.expired", "request.completed"]);
  await shop.sandbox.control.putReceiver(made.receiver, {
    secrets: [made.secret],
    status: 500,
    times: 1,
  });
  await relay();
  const head = (await listOf(made)).rows.find(({ state }) => state === "retrying");
  if (!head) throw new Error("the first delivery waits for its next try");
  await discard(ctx, admin, head.id, "They have it from us by other means.");
  await relay();
  expect((await received(made)).map((one) => one.webhook_id)).toEqual(ids);
  await expect(discard(ctx, admin, head.id, "Again.")).rejects.toMatchObject({
    code: "delivery_not_waiting",
  });
  const { rows } = await listOf(made);
  expect(rows.map(({ state }) => state).sort()).toEqual(["delivered", "discarded"]);
});

test("OB-1: the list filters, counts and pages, says what blocks what, and the body is the one that goes out", async () => {
  const made = await stage();
  const { admin, tenant } = made;
  await shop.sandbox.control.putReceiver(made.receiver, { secrets: [made.secret], status: 503 });
  const { ref, ids } = await releasedEvents(shop, tenant, ["request.expired", "request.completed"]);
  await sendTestEvent(ctx, admin, made.id);
  await relay();
  const all = await listOf(made);
  expect(all.counts).toEqual({ all: 3, waiting: 3, dead: 0 });
  const head = all.rows.find(({ type }) => type === "request.expired");
  const [blocked] = (await listOf(made, { state: "held" })).rows;
  expect(blocked).toMatchObject({ type: "request.completed", blockedBy: head?.id, state: "held" });
  expect((await listOf(made, { state: "queued" })).rows).toEqual([]);
  expect((await listOf(made, { request: ref, event: "request.expired" })).count).toBe(1);
  expect((await listOf(made, { subscriber: "Books", from: "2020-01-01" })).count).toBe(3);
  expect((await listOf(made, { to: "2020-01-01" })).count).toBe(0);
  const page = await deliveryPage(ctx.db, tenant.tenantId, admin.id, head?.id ?? "");
  expect(page?.tries).toMatchObject([{ attempt: 1, status: 503, outcome: "answered" }]);
  const sent = (await received(made)).find((one) => one.webhook_id === ids[0]);
  expect(await deliveryBody(ctx.db, tenant.tenantId, head?.id ?? "")).toBe(sent?.body);
  const other = await stage();
  expect(await deliveryPage(ctx.db, other.tenant.tenantId, admin.id, head?.id ?? "")).toBeNull();
  expect(await subscriberPage(ctx.db, other.tenant.tenantId, admin.id, made.id)).toBeNull();
  await expect(stopDeliveries(ctx, other.admin, made.id, "Not ours.")).rejects.toMatchObject({
    code: "not_found",
  });
});

test("OB-1: the list is read page by page in both directions without loss", async () => {
  const made = await stage();
  for (let n = 0; n < 30; n += 1) {
    await releasedEvents(shop, made.tenant, ["request.expired", "request.completed"]);
  }
  await relay();
  const first = await listOf(made);
  expect(first.rows).toHaveLength(50);
  expect(first.newer).toBeNull();
  const second = await listOf(made, { after: first.older ?? "" });
  expect(second.rows).toHaveLength(10);
  const back = await listOf(made, { before: second.newer ?? "" });
  expect(back.rows.map(({ id }) => id)).toEqual(first.rows.map(({ id }) => id));
  expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(60);
});
