import { afterAll, beforeAll, expect, test } from "vitest";
import { fulfilReads } from "@/lib/flows/fulfil-reads";
import { Prisma } from "@/lib/store/prisma/client";
import {
  aKnownRequest,
  eventBody,
  receivePatiently,
  SECOND_SECRET,
  signedDelivery,
  workerSeeing,
} from "@/lib/testing/deliveries";
import { openWorkshop, type ShopTenant, type Workshop } from "@/lib/testing/workshop";
import { inboxEventPage } from "./inbox-event-page";
import { inboxMatches } from "./inbox-matches";
import { inboxPage } from "./inbox-page";
import { InboxQuerySchema, inboxFilters } from "./inbox-query";

let shop: Workshop;
let tenant: ShopTenant;
let ref: string;
beforeAll(async () => {
  shop = await openWorkshop();
  tenant = await shop.tenant("exact");
  ref = await aKnownRequest(shop, tenant, "req_page");
  for (const [id, status] of [
    ["p1", "viewed"],
    ["p2", "completed"],
    ["p2", "completed"],
    ["p3", "sent"],
  ] as const) {
    await deliver(id, eventBody(id, "req_page", status));
  }
  await deliver("p4", eventBody("p4", "req_stranger", "sent"));
  await deliver("p5", eventBody("p5", "req_page", "voided"), SECOND_SECRET);
  const { worker } = await workerSeeing(shop, new Map([["req_page", "completed"]]));
  await fulfilReads(worker);
});
afterAll(() => shop.close());

function deliver(id: string, body: string, secret?: string) {
  return receivePatiently(shop.ledger.ctx, signedDelivery(tenant, id, body, secret));
}

const page = (query: Record<string, string> = {}) =>
  inboxPage(shop.ledger.ctx.db, tenant.tenantId, InboxQuerySchema.parse(query));

test("IN-4 IN-5: the list shows what came of every event, the newest first, and what waits or was refused", async () => {
  const { rows, counts, refusals, late, count, duplicatesToday } = await page();
  expect(rows.map(({ outcome, copies }) => [outcome, copies])).toEqual([
    ["quarantined", 1],
    ["no_change", 1],
    ["applied", 2],
    ["applied", 1],
  ]);
  expect(counts).toEqual({ received: 0, unmatched: 0, quarantined: 1, dead: 0 });
  expect([late, count, duplicatesToday]).toEqual([0, 4, 1]);
  expect(refusals).toEqual([{ connection: "sbx-1", why: "signature", count: 1 }]);
});

test("the list is filtered by outcome, request, event id and copies", async () => {
  const ids = async (query: Record<string, string>) =>
    (await page(query)).rows.map(({ claimedStatus }) => claimedStatus);
  expect(await ids({ outcome: "quarantined,dead" })).toEqual(["sent"]);
  expect(await ids({ request: ref })).toEqual(["sent", "completed", "viewed"]);
  expect(await ids({ q: "p1" })).toEqual(["viewed"]);
  expect(await ids({ copies: "yes" })).toEqual(["completed"]);
  expect(await ids({ to: "2020-01-01T00:00:00Z" })).toEqual([]);
  expect(await ids({ from: "2020-01-01" })).toHaveLength(4);
  const query = InboxQuerySchema.parse({ request: ref });
  const matches = await inboxMatches(shop.ledger.ctx.db, tenant.tenantId, query);
  expect([matches.ids.length, matches.count, matches.more]).toEqual([3, 3, false]);
  const [first] = (await page()).rows;
  expect((await page({ outcome: "dead", also: first?.id ?? "" })).also).toEqual([first]);
});

test("a place in the list is found again from both sides", async () => {
  const all = (await page()).rows.map(({ id }) => id);
  const third = (await page()).older;
  expect(third).toBeNull();
  const [, second] = (await page()).rows;
  const micros = `${Date.parse(second?.receivedAt ?? "") * 1000 + 999}_${second?.id}`;
  const older = await page({ after: micros });
  expect(older.rows.map(({ id }) => id)).toEqual(expect.arrayContaining(all.slice(2)));
});

test("C-10: among 100,000 events those of one request, of one outcome or of a search are looked up, and none are read past", async () => {
  const crowded = await shop.tenant("exact");
  const known = await aKnownRequest(shop, crowded, "req_known");
  const { owner } = shop.ledger;
  const { tenantId, connectionId } = crowded;
  await owner.$executeRaw`
    INSERT INTO inbox_events (tenant_id, id, connection_id, identity, has_event_id, source, type, platform_ref,
      request_ref, outcome, key_id, body_sealed, received_at)
    SELECT ${tenantId}::uuid, gen_random_uuid(), ${connectionId}::uuid, 'id:many' || n, true, 'webhook', 'request.viewed',
      'many_' || n / 5, CASE WHEN n % 2 = 0 THEN 'ref_' || n / 10 END,
      CASE WHEN n % 1000 = 0 THEN 'dead' ELSE 'no_change' END, 'k1', '', now() - n * interval '1 second'
    FROM generate_series(1, 100000) n`;
  await owner.$executeRaw`VACUUM (ANALYZE) inbox_events`;
  const planOf = async (query: Record<string, string>) => {
    const filters = inboxFilters(tenantId, InboxQuerySchema.parse(query));
    const rows = await owner.$queryRaw<{ "QUERY PLAN": string }[]>`
      EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF) SELECT i.id FROM inbox_events i
      WHERE ${Prisma.join(filters, " AND ")} ORDER BY i.received_at DESC, i.id DESC LIMIT 51`;
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  };
  const indexes = {
    [JSON.stringify({ request: known })]: /inbox_events_of_request[\s\S]*inbox_events_by_request/,
    [JSON.stringify({ q: "many_77" })]: /inbox_events_by_request/,
    [JSON.stringify({ outcome: "dead" })]: /inbox_events_set_aside/,
    [JSON.stringify({})]: /inbox_events_newest/,
  };
  for (const [query, index] of Object.entries(indexes)) {
    const plan = await planOf(JSON.parse(query));
    expect(plan).toMatch(index);
    expect(plan).not.toMatch(/Seq Scan on inbox_events|Rows Removed by Filter: \d{3}/);
  }
});

test("IN-5 RV-2: an event's page says what the event, a read and the ledger say, and nothing of its body", async () => {
  const [row] = (await page({ q: "p2" })).rows;
  const event = await inboxEventPage(
    shop.ledger.ctx.db,
    tenant.tenantId,
    tenant.proposer.id,
    row?.id ?? "",
  );
  expect(event).toMatchObject({
    webhookSays: { type: "request.completed", platformRef: "req_page", status: "completed" },
    apiSays: { outcome: "read", status: "completed", isAfter: true },
    ledgerSays: { status: "completed", isFinal: true },
    identity: { kind: "event_id", value: "p2", isWeaker: false },
    signature: { keyId: "k1" },
    copies: 2,
    effects: { to: "completed", outbox: 1, read: true },
    raw: { isKept: true },
    reviews: [],
  });
  expect(event?.signature.ageSeconds).toBeLessThan(60);
  const foreign = await shop.tenant("exact");
  expect(
    await inboxEventPage(shop.ledger.ctx.db, foreign.tenantId, tenant.proposer.id, row?.id ?? ""),
  ).toBeNull();
});
