import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { reviewListPage } from "@/lib/queries/review-list-page";
import { type ReviewsQuery, ReviewsQuerySchema } from "@/lib/queries/review-list-query";
import { whoWouldGet } from "@/lib/queries/routing-page";
import { membersOnCall } from "@/lib/store/rota";
import { itemPage } from "@/lib/testing/decisions";
import {
  aMember,
  anApiKey,
  aRequest,
  aTenant,
  type TestLedger,
  type TestTenant,
  testLedger,
} from "@/lib/testing/tenants";
import { acknowledgeItem } from "./acknowledge-item";
import { alertPass } from "./alert-pass";
import { assignItem } from "./assign-item";
import type { Actor } from "./context";
import { handOverItem } from "./hand-over-item";
import { saveRota } from "./save-rota";
import { saveRouting } from "./save-routing";
import { seeItem } from "./see-item";
import { snoozeItem } from "./snooze-item";

let ledger: TestLedger;
let tenant: TestTenant;
let [onCall, colleague, manager, admin]: Actor[] = [];

beforeAll(async () => {
  ledger = await testLedger();
});
afterAll(() => ledger.close());

beforeEach(async () => {
  tenant = await aTenant(ledger.owner);
  const { tenantId } = tenant;
  onCall = await aMember(ledger.owner, tenantId, "on_call");
  colleague = await aMember(ledger.owner, tenantId, "on_call");
  manager = await aMember(ledger.owner, tenantId, "account_manager");
  admin = await aMember(ledger.owner, tenantId, "admin");
  await aMember(ledger.owner, tenantId, "compliance");
});

async function item(reason = "no_lookup", more: { requestRef?: string; owner?: string } = {}) {
  const id = randomUUID();
  await ledger.owner.reviewItem.create({
    data: { tenantId: tenant.tenantId, id, reason, owner: "team:on-call", evidence: "{}", ...more },
  });
  return id;
}

const itemNow = (id: string) =>
  ledger.owner.reviewItem.findUniqueOrThrow({
    where: { tenantId_id: { tenantId: tenant.tenantId, id } },
  });

const me = (actor: Actor | undefined) => `account:${actor?.id}`;

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

/** The code of the refusal, or `done`. */
async function outcome(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "done",
    (error: { readonly code?: string }) => error.code ?? String(error),
  );
}

function list(query: Partial<Record<keyof ReviewsQuery, string>>, viewer: Actor | undefined) {
  const by = viewer as Actor;
  return reviewListPage(
    ledger.ctx.db,
    tenant.tenantId,
    { accountId: by.id, role: by.role },
    ReviewsQuerySchema.parse(query),
  );
}

test("RV-4: of two who take an item at once one gets it and the other is told who has it", async () => {
  const itemId = await item();
  const people = [onCall, colleague] as Actor[];
  const outcomes = await Promise.all(
    people.map((actor) => outcome(assignItem(ledger.ctx, actor, { itemId, to: me(actor) }))),
  );
  expect([...outcomes].sort()).toEqual(["done", "item_taken"]);
  const winner = people[outcomes.indexOf("done")];
  expect(await itemNow(itemId)).toMatchObject({
    owner: me(winner),
    assignedTo: winner?.id,
    status: "claimed",
    team: "team:on-call",
  });
  const acts = await ledger.owner.reviewAct.findMany({
    where: { itemId },
    orderBy: { seq: "asc" },
  });
  expect(acts.map(({ seq, actor, act }) => [seq, actor, act])).toEqual([
    [1, "system", "opened"],
    [2, me(winner), "assigned"],
  ]);
  // The winner may repeat it; nothing more is written.
  expect(await outcome(assignItem(ledger.ctx, winner as Actor, { itemId, to: me(winner) }))).toBe(
    "done",
  );
  expect((await itemNow(itemId)).acts).toBe(2);
});

test("RV-4: a handed-over item belongs to the new owner, with a note of which the history holds the digest", async () => {
  const itemId = await item();
  const actor = onCall as Actor;
  const handOver = (to: string, note: string, from?: string) =>
    outcome(handOverItem(ledger.ctx, actor, { itemId, to, note, ...(from ? { from } : {}) }));
  expect(await handOver("team:account-managers", " ")).toBe("reason_empty");
  expect(await handOver("team:account-managers", "ask pat@example.com")).toBe("personal_data");
  expect(await handOver("team:nobody", "They know the customer.")).toBe("owner_unknown");
  expect(await handOver("team:account-managers", "They know the customer.")).toBe("done");
  expect(await itemNow(itemId)).toMatchObject({
    owner: "team:account-managers",
    team: "team:account-managers",
    status: "open",
    assignedTo: null,
    assignedByPerson: true,
  });
  expect(await handOver(me(manager), "Too late.", "team:on-call")).toBe("item_taken");
  expect(await handOver(me(manager), "Please look at it today.")).toBe("done");
  expect(await itemNow(itemId)).toMatchObject({ owner: me(manager), status: "claimed" });
  const acts = await ledger.owner.reviewAct.findMany({ where: { itemId, act: "handed_over" } });
  expect(acts).toHaveLength(2);
  expect(JSON.stringify(acts)).not.toContain("customer");
  const { timeline } = await itemPage(ledger, actor, itemId);
  const notes = timeline.flatMap((one) => (one.source === "item" && one.note ? [one.note] : []));
  expect(notes).toEqual(["They know the customer.", "Please look at it today."]);
  for (const { noteRef, noteDigest } of acts) {
    const kept = await ledger.owner.vaultEntry.findFirst({ where: { id: noteRef ?? "" } });
    expect(kept).toMatchObject({ kind: "text", digest: noteDigest });
  }
});

test("RV-4: an acknowledgement ends with the loss at the latest, and a critical item is never hidden", async () => {
  const { ref } = await aRequest(ledger.owner, tenant, inMinutes(60));
  const itemId = await item("drift_expiry", { requestRef: ref });
  const actor = onCall as Actor;
  const acknowledge = (until: string) =>
    outcome(acknowledgeItem(ledger.ctx, actor, { itemId, until }));
  const reason = "Waits for the customer.";
  const snooze = (id: string, minutes: number) =>
    outcome(snoozeItem(ledger.ctx, actor, { itemId: id, until: inMinutes(minutes), reason }));
  expect(await acknowledge(inMinutes(-1))).toBe("until_passed");
  expect(await acknowledge(inMinutes(61))).toBe("until_too_late");
  expect(await acknowledge(inMinutes(59))).toBe("done");
  expect(await snooze(itemId, 10)).toBe("snooze_critical");
  const { ref: later } = await aRequest(ledger.owner, tenant, inMinutes(3 * 24 * 60));
  const high = await item("drift_expiry", { requestRef: later });
  expect(await snooze(high, 2 * 24 * 60 + 5)).toBe("until_too_late");
  expect(await snooze(high, 24 * 60)).toBe("done");
  expect(await itemNow(high)).toMatchObject({ status: "snoozed", statusUntil: expect.any(Date) });
  expect((await list({ view: "snoozed" }, onCall)).rows.map(({ id }) => id)).toEqual([high]);
  expect((await list({}, onCall)).rows.map(({ id }) => id)).toEqual([itemId]);
});

test("RV-1: what a read settles stays in the queue until its owner has seen it", async () => {
  const itemId = await item("drift_status", { owner: "team:account-managers" });
  const see = (actor: Actor | undefined) =>
    outcome(seeItem(ledger.ctx, actor as Actor, { itemId }));
  expect(await see(manager)).toBe("item_moved");
  await ledger.owner.reviewItem.updateMany({
    where: { id: itemId },
    data: { settledAt: new Date() },
  });
  expect(await itemNow(itemId)).toMatchObject({ status: "settled", closedAt: null });
  const settled = await list({ view: "settled" }, manager);
  expect([settled.rows.length, settled.counts.settled, settled.counts.all]).toEqual([1, 1, 0]);
  // Those on call decide everything, but they are not the ones who had to know.
  expect(await see(onCall)).toBe("item_not_yours");
  expect(await see(manager)).toBe("done");
  expect(await see(manager)).toBe("item_closed");
  const closed = await list({ view: "closed" }, manager);
  expect(closed.rows).toMatchObject([{ id: itemId, status: "settled" }]);
  expect(closed.lastClosedAt).not.toBeNull();
});

test("RV-4: only those whom role or routing gives an item act on it, and no key ever does", async () => {
  const itemId = await item("history_changed", { owner: "team:compliance" });
  const take = (actor: Actor) => outcome(assignItem(ledger.ctx, actor, { itemId, to: me(actor) }));
  expect(await take(manager as Actor)).toBe("item_not_yours");
  expect(await take(await anApiKey(ledger.owner, onCall as Actor))).toBe("not_permitted");
  const foreign = await aTenant(ledger.owner);
  expect(await take(await aMember(ledger.owner, foreign.tenantId, "on_call"))).toBe("not_found");
  expect(await take(onCall as Actor)).toBe("done");
});

test("RV-1: rules that leave a reason to nobody are not saved, nor rules over somebody else's", async () => {
  const { tenantId } = tenant;
  const compliance = await ledger.owner.membership.updateMany({
    where: { tenantId, role: "compliance" },
    data: { removedAt: new Date() },
  });
  expect(compliance.count).toBe(1);
  const rule = {
    reason: "possible_duplicate",
    kind: null,
    connectionId: null,
    owner: me(manager),
    escalateTo: null,
    escalateAfterMinutes: null,
  } as const;
  const save = (rules: readonly (typeof rule | object)[], seen: readonly string[] = []) =>
    outcome(saveRouting(ledger.ctx, admin as Actor, { rules: rules as (typeof rule)[], seen }));
  expect(await save([rule])).toBe("routing_unowned");
  const rest = { ...rule, reason: null, owner: "team:on-call" };
  expect(await save([{ ...rule, owner: "team:compliance" }, rest])).toBe("fields_unusable");
  expect(await save([rule, rest])).toBe("done");
  expect(await save([rest])).toBe("routing_changed");
  const [first, second] = await ledger.owner.routingRule.findMany({
    where: { tenantId },
    orderBy: { position: "asc" },
  });
  const seen = [first?.id ?? "", second?.id ?? ""];
  // The same rule at another place stays the same rule; a changed one is a new one.
  expect(
    await save(
      [
        { ...rest, id: seen[1] },
        { ...rule, id: seen[0], owner: me(onCall) },
      ],
      seen,
    ),
  ).toBe("done");
  const inForce = await ledger.owner.routingRule.findMany({
    where: { tenantId, retiredAt: null },
    orderBy: { position: "asc" },
  });
  expect(inForce.map(({ id }) => seen.indexOf(id))).toEqual([1, -1]);
  expect(await outcome(saveRouting(ledger.ctx, onCall as Actor, { rules: [], seen }))).toBe(
    "not_permitted",
  );
  const who = await whoWouldGet(ledger.ctx.db, tenantId, {
    reason: "possible_duplicate",
    kind: null,
    connectionId: null,
  });
  expect(who).toMatchObject({ rule: 1, owner: "team:on-call" });
});

test("RV-1: the rota says who of a team is on call; in its gaps the whole team is", async () => {
  const { tenantId } = tenant;
  const nowOnCall = () => membersOnCall(ledger.owner, tenantId, "team:on-call");
  expect((await nowOnCall()).sort()).toEqual([onCall?.id, colleague?.id].sort());
  const shift = { team: "team:on-call" as const, accountId: colleague?.id ?? "" };
  const save = (actor: Actor | undefined, changes: object = {}) =>
    outcome(
      saveRota(ledger.ctx, actor as Actor, {
        shifts: [{ ...shift, startsAt: inMinutes(-5), endsAt: inMinutes(60), ...changes }],
        seen: [],
      }),
    );
  expect(await save(onCall)).toBe("not_permitted");
  expect(await save(admin, { accountId: manager?.id })).toBe("fields_unusable");
  expect(await save(admin, { endsAt: inMinutes(-6) })).toBe("fields_unusable");
  expect(await save(admin)).toBe("done");
  expect(await nowOnCall()).toEqual([colleague?.id]);
  expect(await save(admin)).toBe("routing_changed");
  await ledger.owner.membership.updateMany({
    where: { tenantId, accountId: colleague?.id ?? "" },
    data: { removedAt: new Date() },
  });
  expect(await nowOnCall()).toEqual([onCall?.id]);
});

test("RV-4: the queue is in the order of risk, page by page, and every filter narrows it", async () => {
  const dueIn = async (minutes: number) =>
    (await aRequest(ledger.owner, tenant, inMinutes(minutes))).ref;
  const [soon, later] = [await dueIn(3 * 24 * 60), await dueIn(5 * 24 * 60)];
  const third = await item("drift_expiry", { requestRef: later });
  const second = await item("drift_expiry", { requestRef: soon });
  const last = await item();
  const first = await item("possible_duplicate");
  await ledger.owner.$executeRaw`UPDATE review_items SET breached = true WHERE id = ${first}::uuid`;
  const { rows, bands, nextLoss } = await list({}, onCall);
  expect(rows.map(({ id }) => id)).toEqual([first, second, third, last]);
  expect(bands).toMatchObject({
    critical: { breached: 1 },
    high: { within: 2 },
    normal: { within: 1 },
  });
  expect(nextLoss).toMatchObject({ itemId: second, requestRef: soon, clock: "platform" });
  const ids = async (query: Partial<Record<keyof ReviewsQuery, string>>) =>
    (await list(query, onCall)).rows.map(({ id }) => id);
  expect(await ids({ reason: "drift_expiry", request: later })).toEqual([third]);
  expect(await ids({ consequence: "critical,normal" })).toEqual([first, last]);
  expect(await ids({ age: "breached" })).toEqual([first]);
  expect(await ids({ connection: "sbx-1" })).toEqual([second, third]);
  expect(await ids({ view: "untaken", team: "team:admins" })).toEqual([]);
  const page = await list({ size: "50" }, onCall);
  expect(page).toMatchObject({ older: null, count: 4, more: false });
  await alertPass({ owner: ledger.owner });
  expect((await ids({})).at(0)).toBe(second);
});
