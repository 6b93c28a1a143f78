import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sealOf } from "@/lib/domain/resume-preview";
import { asTenant } from "@/lib/store/db";
import { endFinishedRamps } from "@/lib/store/pauses";
import { waitUntil } from "@/lib/testing/processes";
import { refusalOf } from "@/lib/testing/refusals";
import { type OnCall, pauseNow, previewNow, resumeNow, twoOnCall } from "@/lib/testing/switches";
import { anApiKey } from "@/lib/testing/tenants";
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
import { askResume } from "./ask-resume";
import { proposeExtension } from "./propose-extension";
import { resume } from "./resume";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.close());

const codeOf = async (work: Promise<unknown>) => (await refusalOf(work)).code;

interface Scene {
  readonly tenant: ShopTenant;
  readonly onCall: OnCall;
}

async function aScene(): Promise<Scene> {
  const tenant = await shop.tenant("exact", { callTimeoutMs: 6_000, leaseMs: 20_000 });
  return { tenant, onCall: await twoOnCall(shop, tenant) };
}

/** An approved extension of a request of its own. */
async function anExtension(tenant: ShopTenant) {
  const request = await aRealRequest(shop, tenant, inDays(3));
  const opId = await anApprovedExtension(shop, tenant, request, inDays(10));
  return { ...request, opId };
}

function countsOf(preview: Awaited<ReturnType<typeof previewNow>>): Record<string, number> {
  return Object.fromEntries(
    preview.groups.filter(({ count }) => count > 0).map(({ group, count }) => [group, count]),
  );
}

const extensions = async (tenant: ShopTenant) =>
  (await effectsOf(shop, tenant, { kind: "extended" })).map(({ request_id }) => request_id);

/** A timer of a plan as the ledger inserts it, due an hour ago. */
async function aMissedReminder(
  { tenantId, connectionId }: ShopTenant,
  ref: string,
  planId: string,
  occurrence: number,
): Promise<string> {
  const opId = randomUUID();
  const [template] = await shop.ledger.owner.operation.findMany({
    where: { tenantId, requestRef: ref },
  });
  await shop.ledger.owner.operation.create({
    data: {
      tenantId,
      opId,
      opKey: `${ref}/remind/${planId}/${occurrence}`,
      kind: "remind",
      requestRef: ref,
      connectionId,
      state: "scheduled",
      reason: "approved_by_policy",
      canonicalText: template?.canonicalText ?? "{}",
      payloadHash: template?.payloadHash ?? "0".repeat(64),
      approvalId: randomUUID(),
      proposedBy: "policy:remind-v1",
      approvedAt: new Date(Date.now() - 7_200_000),
      dueAt: new Date(Date.now() - 3_600_000 + occurrence * 1_000),
      priority: 3,
      planId,
      occurrence,
      eventActor: "system:test",
    },
  });
  return opId;
}

test("BL-6: what the resume preview said is what then happens, at the ledger and in the platform's effect log", async () => {
  const { tenant, onCall } = await aScene();
  const { owner } = shop.ledger;
  const { tenantId } = tenant;
  const pauseId = await pauseNow(shop, onCall.first, {
    scope: "connection",
    connectionId: tenant.connectionId,
  });
  const starting = [await anExtension(tenant), await anExtension(tenant)];
  const passed = await anExtension(tenant);
  await owner.request.update({
    where: { tenantId_ref: { tenantId, ref: passed.ref } },
    data: { businessDeadlineAt: new Date(Date.now() - 60_000) },
  });
  const later = await anExtension(tenant);
  await owner.$executeRaw`
    UPDATE operations SET due_at = ledger_now() + interval '1 hour' WHERE op_id = ${later.opId}::uuid`;
  const [first] = starting;
  if (!first) throw new Error("there is a first one");
  const planId = randomUUID();
  const reminders = [1, 2, 3].map((n) => aMissedReminder(tenant, first.ref, planId, n));
  const [one = "", two = "", three = ""] = await Promise.all(reminders);
  const request = await aRealRequest(shop, tenant, inDays(3));
  const late = await proposeExtension(shop.ledger.ctx, tenant.proposer, {
    approvalId: randomUUID(),
    requestRef: request.ref,
    date: inDays(8).slice(0, 10),
    time: "12:00",
    zone: "UTC",
    reason: "More time.",
  });
  await owner.$executeRaw`
    UPDATE operations SET approval_expires_at = ledger_now() WHERE op_id = ${late.opId}::uuid`;
  await pauseNow(shop, onCall.second, { scope: "kind", kind: "remind" });

  const preview = await previewNow(shop, onCall.first, pauseId);
  expect(countsOf(preview)).toEqual({
    start: 2,
    due_later: 1,
    deadline_passed: 1,
    approval_expired: 1,
    joined: 2,
    still_held: 1,
  });
  const worker = await shop.worker();
  while ((await oneRound(worker)) > 0);
  expect(await extensions(tenant)).toEqual([]);
  // The sweep has ended the proposal and joined the reminders; the preview names them as before.
  expect((await previewNow(shop, onCall.first, pauseId)).seal).toEqual(preview.seal);

  const resumed = await resumeNow(shop, onCall, pauseId, 60);
  expect(resumed).toMatchObject({ starting: 2, perMinute: 60 });
  await waitUntil(
    async () => {
      await oneRound(worker);
      return (await extensions(tenant)).length === 2;
    },
    { what: "both extensions have started" },
  );
  while ((await oneRound(worker)) > 0);
  expect(new Set(await extensions(tenant))).toEqual(
    new Set(starting.map(({ platformRef }) => platformRef)),
  );
  for (const { opId } of starting)
    expect((await operationOf(shop, tenant, opId)).state).toBe("done");
  expect(await operationOf(shop, tenant, passed.opId)).toMatchObject({
    state: "needs_review",
    reason: "deadline_passed_while_held",
    owner: expect.stringMatching(/^(account|team):/),
  });
  expect((await operationOf(shop, tenant, later.opId)).state).toBe("scheduled");
  expect((await operationOf(shop, tenant, three)).state).toBe("scheduled");
  for (const opId of [one, two]) {
    expect((await operationOf(shop, tenant, opId)).reason).toBe("collapsed_after_pause");
  }
});

test("BL-6 RM-4: missed reminders of a plan are joined into its newest one when their switch is opened", async () => {
  const { tenant, onCall } = await aScene();
  const pauseId = await pauseNow(shop, onCall.first, { scope: "kind", kind: "remind" });
  const { ref } = await anExtension(tenant);
  const other = await anExtension(tenant);
  await shop.ledger.owner.request.update({
    where: { tenantId_ref: { tenantId: tenant.tenantId, ref: other.ref } },
    data: { businessDeadlineAt: new Date(Date.now() - 60_000) },
  });
  const planId = randomUUID();
  const missed = await Promise.all([1, 2, 3].map((n) => aMissedReminder(tenant, ref, planId, n)));
  const tooLate = await aMissedReminder(tenant, other.ref, randomUUID(), 1);
  const preview = await previewNow(shop, onCall.first, pauseId);
  expect(countsOf(preview)).toEqual({ start: 1, joined: 2, reminder_past: 1 });
  expect(preview.groups.find(({ group }) => group === "joined")?.into).toBe(1);

  await resumeNow(shop, onCall, pauseId);
  const states = await Promise.all(
    [...missed, tooLate].map(async (opId) => (await operationOf(shop, tenant, opId)).reason),
  );
  expect(states).toEqual([
    "collapsed_after_pause",
    "collapsed_after_pause",
    "approved_by_policy",
    "skipped_past_deadline",
  ]);
});

test("BL-6: who asked does not open the switch, a key does neither, and nobody opens what nobody asked for", async () => {
  const { tenant, onCall } = await aScene();
  const { ctx, owner } = shop.ledger;
  const pauseId = await pauseNow(shop, onCall.first);
  const { seal: seen } = await previewNow(shop, onCall.first, pauseId);
  expect(await codeOf(resume(ctx, onCall.second, { pauseId, seen }))).toBe("resume_not_asked");
  const key = await anApiKey(owner, onCall.first, ["read", "propose"]);
  const ask = { pauseId, seen, perMinute: null };
  for (const actor of [key, tenant.proposer, tenant.approver]) {
    expect(await codeOf(askResume(ctx, actor, ask))).toBe("not_permitted");
  }
  expect(await askResume(ctx, onCall.first, ask)).toMatchObject({ byYou: true, perMinute: 120 });
  expect(await askResume(ctx, onCall.second, ask)).toMatchObject({ byYou: false });
  expect(await codeOf(resume(ctx, onCall.first, { pauseId, seen }))).toBe("resume_same_person");
  expect(await codeOf(resume(ctx, key, { pauseId, seen }))).toBe("not_permitted");
  expect(await resume(ctx, onCall.second, { pauseId, seen })).toMatchObject({ starting: 0 });
  expect(await codeOf(resume(ctx, onCall.second, { pauseId, seen }))).toBe("already_running");
  const kinds = await owner.controlEvent.findMany({
    where: { tenantId: tenant.tenantId },
    orderBy: { at: "asc" },
    select: { kind: true, actor: true },
  });
  expect(kinds).toEqual([
    { kind: "paused", actor: `user:${onCall.first.id}` },
    { kind: "resume_asked", actor: `user:${onCall.first.id}` },
    { kind: "resumed", actor: `user:${onCall.second.id}` },
  ]);
});

test("BL-6: a preview that changed while somebody looked is refused, says by how many, and changes nothing", async () => {
  const { tenant, onCall } = await aScene();
  const { ctx } = shop.ledger;
  const pauseId = await pauseNow(shop, onCall.first);
  const { seal: seen } = await previewNow(shop, onCall.first, pauseId);
  await askResume(ctx, onCall.first, { pauseId, seen, perMinute: null });
  const { opId } = await anExtension(tenant);
  const wish = { pauseId, seen };
  await expect(resume(ctx, onCall.second, wish)).rejects.toThrow(
    "The preview changed: 1 more. Look again.",
  );
  expect(await codeOf(askResume(ctx, onCall.first, { ...wish, perMinute: null }))).toBe(
    "preview_changed",
  );
  expect((await operationOf(shop, tenant, opId)).state).toBe("scheduled");
  const preview = await previewNow(shop, onCall.second, pauseId);
  expect(preview.asked).toMatchObject({ sameSeal: false, more: 1 });
  expect(await resume(ctx, onCall.second, { pauseId, seen: preview.seal })).toMatchObject({
    starting: 1,
  });
});

test("BL-6: of two who open a switch at once one does, and its ramp begins once", async () => {
  const { onCall, tenant } = await aScene();
  const { ctx, owner } = shop.ledger;
  const third = (await twoOnCall(shop, tenant, "admin")).first;
  const pauseId = await pauseNow(shop, onCall.first);
  const { seal: seen } = await previewNow(shop, onCall.first, pauseId);
  await askResume(ctx, onCall.first, { pauseId, seen, perMinute: null });
  const both = await Promise.all(
    [onCall.second, third].map((actor) =>
      resume(ctx, actor, { pauseId, seen }).then(
        () => "resumed",
        (error: { code: string }) => error.code,
      ),
    ),
  );
  expect(both.sort()).toEqual(["already_running", "resumed"]);
  const { tenantId } = tenant;
  expect(await owner.controlEvent.count({ where: { tenantId, kind: "resumed" } })).toBe(1);
});

test("BL-6: a ramp lets one start at once and the next ones at its rate, only within its scope, and its end is recorded", async () => {
  const { tenant, onCall } = await aScene();
  const { owner } = shop.ledger;
  const { tenantId } = tenant;
  const pauseId = await pauseNow(shop, onCall.first, { scope: "kind", kind: "extend" });
  await Promise.all([1, 2, 3].map(() => anExtension(tenant)));
  await resumeNow(shop, onCall, pauseId, 1);
  const worker = await shop.worker();
  for (let round = 0; round < 6; round += 1) await oneRound(worker);
  expect(await extensions(tenant)).toHaveLength(1);
  const left = async () => {
    const [row] = await owner.$queryRaw<{ left: number | null; full: string[]; held: string[] }[]>`
      SELECT ramp_left(${tenantId}::uuid) AS left, ramp_full(${tenantId}::uuid) AS full,
        held_scopes(${tenantId}::uuid) AS held`;
    return row;
  };
  expect(await left()).toMatchObject({ left: null, full: ["extend"], held: ["extend"] });
  await owner.$executeRaw`UPDATE pauses SET resumed_at = resumed_at - interval '2 minutes'
    WHERE tenant_id = ${tenantId}::uuid`;
  await owner.$executeRaw`UPDATE operations SET approved_at = approved_at - interval '3 minutes'
    WHERE tenant_id = ${tenantId}::uuid`;
  // Two minutes at one per minute and one at once, of which one has started.
  expect(await left()).toMatchObject({ left: 2, full: [], held: [] });
  expect(await endFinishedRamps(owner)).toBe(0);
  await waitUntil(
    async () => {
      await oneRound(worker);
      return (await extensions(tenant)).length === 3;
    },
    { what: "the rest has started" },
  );
  while ((await oneRound(worker)) > 0);
  await endFinishedRamps(owner);
  const [ended] = await owner.controlEvent.findMany({ where: { tenantId, kind: "ramp_ended" } });
  expect(JSON.parse(ended?.body ?? "{}")).toEqual({ total: 3, why: "all_started" });
  expect(await left()).toMatchObject({ left: null, full: [], held: [] });
});

test("BL-6: the database's ramp and the forecast of the preview follow the same steps", async () => {
  const [row] = await shop.ledger.owner.$queryRaw<{ allowed: number[] }[]>`
    SELECT array_agg(ramp_allowed(3, ledger_now() - m * interval '1 minute') ORDER BY m) AS allowed
    FROM unnest(ARRAY[0, 1, 5, 6, 10, 15]) AS m`;
  expect(row?.allowed).toEqual([1, 4, 16, 22, 46, 106]);
});

test("BL-6: a connection that the ledger paused for refused credentials is opened like any other switch", async () => {
  const { tenant, onCall } = await aScene();
  const { owner, ctx } = shop.ledger;
  const { tenantId, connectionId } = tenant;
  const { opId } = await anExtension(tenant);
  await shop.sandbox.control.addFault(tenant.account.id, {
    fault: "unauthorized",
    operation: "extend",
  });
  const worker = await shop.worker();
  await waitUntil(
    async () => {
      await oneRound(worker);
      return (await operationOf(shop, tenant, opId)).state === "needs_review";
    },
    { what: "the refused credential is with a person" },
  );
  const [pause] = await owner.pause.findMany({ where: { tenantId } });
  expect(pause).toMatchObject({
    scope: "connection",
    connectionId,
    reasonCode: "credentials_refused",
    pausedBy: "system:connection",
  });
  expect(await owner.controlEvent.count({ where: { tenantId, kind: "paused" } })).toBe(1);
  await resumeNow(shop, onCall, pause?.id ?? "");
  const held = await asTenant(ctx.db, tenantId, (tx) =>
    tx.connection.findUniqueOrThrow({
      where: { tenantId_id: { tenantId, id: connectionId } },
      select: { pausedAt: true, pausedReason: true },
    }),
  );
  expect(held).toEqual({ pausedAt: null, pausedReason: null });
});

test("BL-6: the seal of a preview does not depend on the order and does on group and operation", () => {
  const [a, b] = [randomUUID(), randomUUID()];
  const seal = sealOf([
    { group: "start", opId: a },
    { group: "joined", opId: b },
  ]);
  expect(
    sealOf([
      { group: "joined", opId: b },
      { group: "start", opId: a },
    ]),
  ).toEqual(seal);
  expect(
    sealOf([
      { group: "start", opId: b },
      { group: "joined", opId: a },
    ]).hash,
  ).not.toBe(seal.hash);
});
