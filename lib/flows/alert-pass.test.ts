import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Database } from "@/lib/store/db";
import {
  aMember,
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
import { removeMember } from "./remove-member";
import { saveRouting } from "./save-routing";
import { snoozeItem } from "./snooze-item";

const HOUR = 60;

let ledger: TestLedger;
let tenant: TestTenant;
let onCall: Actor;

beforeAll(async () => {
  ledger = await testLedger();
});
afterAll(() => ledger.close());

/** A tenant with somebody in every team. */
async function freshTenant(): Promise<void> {
  tenant = await aTenant(ledger.owner);
  for (const role of ["account_manager", "compliance", "admin"] as const) {
    await aMember(ledger.owner, tenant.tenantId, role);
  }
  onCall = await aMember(ledger.owner, tenant.tenantId, "on_call");
}

/** Passes of a worker whose clock is so many minutes ahead, until there is nothing to do. */
async function passAt(minutes: number): Promise<number> {
  const url = new URL(ledger.url);
  url.searchParams.set("options", `-c deadline.clock_offset=${minutes}min`);
  const owner = connect(url.href, { poolMax: 2 });
  try {
    for (let done = 0, all = 0; ; all += done) {
      done = await alertPass({ owner });
      if (done === 0) return all;
    }
  } finally {
    await owner.$disconnect();
  }
}

interface ItemOptions {
  readonly kind?: string;
  readonly requestRef?: string;
  readonly owner?: string;
}

async function item(reason: string, options: ItemOptions = {}): Promise<string> {
  const id = randomUUID();
  const { owner = "team:on-call", ...more } = options;
  await ledger.owner.reviewItem.create({
    data: { tenantId: tenant.tenantId, id, reason, owner, evidence: "{}", ...more },
  });
  return id;
}

const itemNow = (id: string) =>
  ledger.owner.reviewItem.findUniqueOrThrow({
    where: { tenantId_id: { tenantId: tenant.tenantId, id } },
  });

async function actsOf(id: string): Promise<string[]> {
  const acts = await ledger.owner.reviewAct.findMany({
    where: { tenantId: tenant.tenantId, itemId: id },
    orderBy: { seq: "asc" },
  });
  return acts.map(({ act }) => act);
}

/** Kind, audience and count of every notice of the tenant. */
async function notices(): Promise<string[]> {
  const rows = await ledger.owner.$queryRaw<{ line: string }[]>`
    SELECT concat_ws(' ', kind, audience, count, CASE WHEN escalation THEN 'urgent' END) AS line
    FROM notices WHERE tenant_id = ${tenant.tenantId}::uuid ORDER BY opened_at, kind, audience`;
  return rows.map(({ line }) => line);
}

async function expectItems(wanted: Record<string, object>): Promise<void> {
  for (const [id, expected] of Object.entries(wanted)) {
    expect(await itemNow(id)).toMatchObject(expected);
  }
}

test("RV-1, RV-4: each item is reminded of, breached and escalated at the time of its own consequence", async () => {
  await freshTenant();
  const { ref } = await aRequest(ledger.owner, tenant, inMinutes(5 * 24 * HOUR));
  const critical = await item("possible_duplicate");
  const high = await item("drift_expiry", { requestRef: ref });
  const normal = await item("no_lookup");
  const low = await item("event_malformed");
  await passAt(0);
  const levels = async () =>
    Promise.all([critical, high, normal, low].map(async (id) => (await itemNow(id)).alertLevel));
  expect(await levels()).toEqual([1, 1, 1, 1]);
  for (const [minutes, expected] of [
    [7, [1, 1, 1, 1]],
    [8, [2, 1, 1, 1]],
    [16, [3, 1, 1, 1]],
    [32, [4, 2, 1, 1]],
    [61, [5, 3, 1, 1]],
    [4 * HOUR + 1, [6, 4, 2, 1]],
    [8 * HOUR + 1, [7, 5, 3, 1]],
    [12 * HOUR + 1, [8, 6, 3, 2]],
    [24 * HOUR + 1, [9, 7, 4, 3]],
  ] as const) {
    await passAt(minutes);
    expect([minutes, await levels()]).toEqual([minutes, expected]);
  }
  await expectItems({
    [critical]: { breached: true, consequence: 1 },
    [high]: { breached: true, consequence: 2 },
    [low]: { breached: true, consequence: 4 },
  });
  const acts = await actsOf(critical);
  expect(acts.slice(0, 5)).toEqual(["opened", "alerted", "alerted", "escalated", "escalated"]);
  expect(acts.filter((act) => act === "escalated")).toHaveLength(7);
});

test("RV-4: a loss that comes nearer makes an item critical and breached before its first limit", async () => {
  await freshTenant();
  const { ref } = await aRequest(ledger.owner, tenant, inMinutes(24 * HOUR + 30));
  const id = await item("drift_expiry", { requestRef: ref });
  await passAt(28);
  await expectItems({ [id]: { breached: false, consequence: 2, alertLevel: 1 } });
  await passAt(31);
  await expectItems({ [id]: { breached: true, consequence: 1, alertLevel: 3 } });
  // An extension takes the haste away again.
  await ledger.owner.request.update({
    where: { tenantId_ref: { tenantId: tenant.tenantId, ref } },
    data: { mirrorExpiresAt: new Date(Date.now() + 60 * 24 * HOUR * 60_000) },
  });
  await passAt(31);
  await expectItems({ [id]: { breached: false, consequence: 3 } });
});

test("RV-4: an acknowledged item is not escalated until its acknowledgement ends, and then it comes back", async () => {
  await freshTenant();
  const id = await item("possible_duplicate");
  await passAt(0);
  await acknowledgeItem(ledger.ctx, onCall, { itemId: id, until: inMinutes(20) });
  await passAt(16);
  await expectItems({ [id]: { status: "acknowledged", alertLevel: 1, breached: true } });
  await passAt(21);
  await expectItems({ [id]: { status: "open", statusUntil: null, alertLevel: 3 } });
  expect(await actsOf(id)).toEqual([
    "opened",
    "alerted",
    "acknowledged",
    "ack_expired",
    "escalated",
  ]);
  expect(await notices()).toEqual(
    expect.arrayContaining([
      "review_returned team:on-call 1",
      "review_breached team:on-call 1 urgent",
      "review_escalated team:admins 1 urgent",
    ]),
  );
});

test("RV-4: a snoozed item comes back before its time when the platform shows something else", async () => {
  await freshTenant();
  const { ref } = await aRequest(ledger.owner, tenant, inMinutes(60 * 24 * HOUR));
  const [changed, left] = [
    await item("drift_status", { requestRef: ref }),
    await item("no_lookup"),
  ];
  for (const itemId of [changed, left]) {
    const reason = "The customer answers tomorrow.";
    await snoozeItem(ledger.ctx, onCall, { itemId, until: inMinutes(24 * HOUR), reason });
  }
  await passAt(1);
  expect([(await itemNow(changed)).status, (await itemNow(left)).status]).toEqual([
    "snoozed",
    "snoozed",
  ]);
  await ledger.owner.request.update({
    where: { tenantId_ref: { tenantId: tenant.tenantId, ref } },
    data: { mirrorStatus: "viewed" },
  });
  await passAt(2);
  expect(await itemNow(changed)).toMatchObject({ status: "open", regressedAt: expect.any(Date) });
  expect((await itemNow(left)).status).toBe("snoozed");
  expect(await actsOf(changed)).toContain("regressed");
  await passAt(24 * HOUR + 1);
  expect(await actsOf(left)).toContain("snooze_ended");
});

test("RV-1: a rule gives items to a person, and escalation reaches the next person before the limit", async () => {
  await freshTenant();
  const { tenantId } = tenant;
  const admin = await aMember(ledger.owner, tenantId, "admin");
  const [first, second] = [
    await aMember(ledger.owner, tenantId, "on_call"),
    await aMember(ledger.owner, tenantId, "on_call"),
  ];
  const rule = { kind: null, connectionId: null, escalateAfterMinutes: 5 };
  const [owner, escalateTo] = [`account:${first.id}`, `account:${second.id}`];
  const id = await item("possible_duplicate");
  const taken = await item("possible_duplicate");
  await assignItem(ledger.ctx, onCall, { itemId: taken, to: `account:${onCall.id}` });
  await saveRouting(ledger.ctx, admin, {
    rules: [{ ...rule, reason: "possible_duplicate", owner, escalateTo }],
    seen: [],
  });
  await passAt(0);
  expect(await itemNow(id)).toMatchObject({ owner, team: "team:on-call", status: "open" });
  // A rule never moves what a person has assigned.
  expect(await itemNow(taken)).toMatchObject({ owner: `account:${onCall.id}`, status: "claimed" });
  expect((await actsOf(id)).slice(0, 3)).toEqual(["opened", "routed", "alerted"]);
  await passAt(6);
  expect(await notices()).toContain(`review_escalated ${escalateTo} 1 urgent`);
  expect((await itemNow(id)).breached).toBe(false);
  await passAt(25);
  expect(await notices()).toContain("review_escalated team:on-call 1 urgent");
});

test("RV-1: items of a removed owner find the team again, whoever had assigned them, and nothing is unowned", async () => {
  await freshTenant();
  const { tenantId } = tenant;
  const manager = await aMember(ledger.owner, tenantId, "account_manager");
  const leaving = await aMember(ledger.owner, tenantId, "on_call");
  const owned = await item("status_changed_since_approval", { owner: `account:${manager.id}` });
  const taken = await item("no_lookup");
  await assignItem(ledger.ctx, leaving, { itemId: taken, to: `account:${leaving.id}` });
  await passAt(0);
  expect((await itemNow(owned)).owner).toBe(`account:${manager.id}`);
  const admin = await aMember(ledger.owner, tenantId, "admin");
  for (const { id: accountId, role } of [manager, leaving]) {
    await removeMember(ledger.ctx, admin, { accountId, shownRole: role ?? "on_call" });
  }
  await passAt(1);
  await expectItems({
    [owned]: { owner: "team:account-managers", status: "open", assignedTo: null },
    [taken]: { owner: "team:on-call", status: "open", assignedTo: null, assignedByPerson: false },
  });
  expect(await notices()).toContain("review_opened team:account-managers 1");
  // Whoever comes back has them again by the reason's own route, not by the assignment.
  await ledger.owner.membership.updateMany({
    where: { tenantId, accountId: manager.id },
    data: { removedAt: null },
  });
  await passAt(2);
  expect((await itemNow(owned)).owner).toBe(`account:${manager.id}`);
});

test("RV-1: an alert for a team that has nobody reaches the admins", async () => {
  tenant = await aTenant(ledger.owner);
  await aMember(ledger.owner, tenant.tenantId, "admin");
  await item("no_lookup");
  await passAt(0);
  expect(await notices()).toEqual(["unowned team:admins 1 urgent"]);
});

test("OB-2: a storm of 500 unknown operations is one alert with its count, and the queue holds all 500", async () => {
  await freshTenant();
  const { tenantId } = tenant;
  await ledger.owner.$executeRaw`
    INSERT INTO review_items (tenant_id, id, reason, owner, evidence)
    SELECT ${tenantId}::uuid, gen_random_uuid(), 'reconcile_bound_reached', 'team:on-call', '{}'
    FROM generate_series(1, 500)`;
  expect(await passAt(0)).toBe(500);
  expect(await passAt(0)).toBe(0);
  expect(await notices()).toEqual(["review_opened team:on-call 500"]);
  await passAt(8 * HOUR + 1);
  expect(await notices()).toEqual(
    expect.arrayContaining([
      "review_breached team:on-call 500 urgent",
      "review_escalated team:admins 500 urgent",
    ]),
  );
  expect(await notices()).toHaveLength(3);
  const where = { tenantId, closedAt: null, breached: true, status: "open" };
  expect(await ledger.owner.reviewItem.count({ where })).toBe(500);
});

test("one worker at a time makes the pass, and what somebody is changing is left to the next one", async () => {
  await freshTenant();
  const [id, other] = [await item("no_lookup"), await item("no_lookup")];
  await ledger.owner.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('review alert pass', 0))`;
    expect(await alertPass({ owner: ledger.owner })).toBe(0);
  });
  await holding(ledger.owner, id, async () => {
    await passAt(0);
    expect([(await itemNow(id)).alertLevel, (await itemNow(other)).alertLevel]).toEqual([0, 1]);
  });
  await passAt(0);
  expect((await itemNow(id)).alertLevel).toBe(1);
});

/** Does something while another transaction has the item locked. */
async function holding(db: Database, id: string, work: () => Promise<void>): Promise<void> {
  await db.$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM review_items
        WHERE tenant_id = ${tenant.tenantId}::uuid AND id = ${id}::uuid FOR UPDATE`;
      await work();
    },
    { timeout: 20_000 },
  );
}

function inMinutes(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString();
}
