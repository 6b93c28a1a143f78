import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OperationKind } from "@/lib/domain/operation";
import { parsePayload } from "@/lib/domain/payload";
import { asTenant } from "@/lib/store/db";
import type { Mode } from "@/lib/store/modes";
import { recordShadow } from "@/lib/store/shadow";
import { storeContact } from "@/lib/store/vault";
import { refusalOf } from "@/lib/testing/refusals";
import { anApprovedSend } from "@/lib/testing/sends";
import { twoOnCall } from "@/lib/testing/switches";
import {
  anApprovedExtension,
  approveNow,
  aRealRequest,
  effectsOf,
  inDays,
  oneRound,
  openWorkshop,
  operationOf,
  type ShopTenant,
  type Workshop,
} from "@/lib/testing/workshop";
import { changeMode, confirmLive } from "./change-mode";
import { proposeExtension } from "./propose-extension";
import { shadowPass } from "./shadow-pass";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.close());

async function aTenantIn(mode: Mode, kind: OperationKind = "extend"): Promise<ShopTenant> {
  // Patience for a busy machine: a read that times out only postpones the record.
  const tenant = await shop.tenant("exact", { callTimeoutMs: 6_000, leaseMs: 20_000 });
  const { tenantId } = tenant;
  await shop.ledger.owner.kindMode.update({
    where: { tenantId_kind: { tenantId, kind } },
    data: { mode },
  });
  return tenant;
}

const recordsOf = ({ tenantId }: ShopTenant) =>
  shop.ledger.owner.shadowRecord.findMany({
    where: { tenantId },
    orderBy: [{ createdAt: "asc" }, { occurrence: "asc" }],
  });

async function recordOf(tenant: ShopTenant) {
  const [record] = await recordsOf(tenant);
  if (!record) throw new Error("nothing was recorded");
  return record;
}

/** Makes the comparison of every judged record due now. */
async function compareNow({ tenantId }: ShopTenant): Promise<void> {
  await shop.ledger.owner.shadowRecord.updateMany({
    where: { tenantId, state: "judged" },
    data: { compareAt: new Date() },
  });
  await shadowPass(await shop.worker());
}

async function extendedByHand(tenant: ShopTenant, platformRef: string, expiresAt: string) {
  const call = { opId: randomUUID(), platformRef, expiresAt, ifVersion: null };
  const outcome = await tenant.account.provider.extend(call, { timeoutMs: 5_000 });
  expect(outcome.kind).toBe("accepted");
}

const codeOf = async (work: Promise<unknown>) => (await refusalOf(work)).code;

test("GO-1: approving in shadow ends the proposal with a record in its place, and nothing reaches the platform", async () => {
  const tenant = await aTenantIn("shadow");
  const request = await aRealRequest(shop, tenant, inDays(3));
  const before = await effectsOf(shop, tenant, {});
  const opId = await anApprovedExtension(shop, tenant, request, inDays(10));
  // A second click is answered calmly and records nothing more.
  await approveNow(shop, tenant, opId, request.receiptId);
  expect(await operationOf(shop, tenant, opId)).toMatchObject({
    state: "obsolete",
    reason: "shadow_recorded",
    attempts: 0,
  });
  expect(await recordsOf(tenant)).toMatchObject([
    { kind: "extend", state: "planned", approvedOpId: opId, requestRef: request.ref },
  ]);
  const { businessDeadlineAt } = await shop.ledger.owner.request.findUniqueOrThrow({
    where: { tenantId_ref: { tenantId: tenant.tenantId, ref: request.ref } },
  });
  expect(businessDeadlineAt).toBeNull();

  const worker = await shop.worker();
  while ((await oneRound(worker)) > 0);
  expect(await shadowPass(worker)).toBe(1);
  expect(await shadowPass(worker)).toBe(0);
  expect(await recordOf(tenant)).toMatchObject({
    state: "judged",
    wouldAct: true,
    verdict: "act",
    reason: null,
  });
  expect(await effectsOf(shop, tenant, {})).toEqual(before);
  const receipts = await shop.ledger.owner.readReceipt.findMany({
    where: { tenantId: tenant.tenantId, purpose: "shadow" },
  });
  expect(receipts).toMatchObject([{ opId, connectionId: tenant.connectionId, outcome: "read" }]);
});

test("GO-1: a record is compared with what then happened: the same by hand, something else, or nothing to compare", async () => {
  const tenant = await aTenantIn("shadow");
  const target = inDays(10);
  const requests = await Promise.all([1, 2, 3].map(() => aRealRequest(shop, tenant, inDays(3))));
  for (const request of requests) await anApprovedExtension(shop, tenant, request, target);
  const worker = await shop.worker();
  while ((await shadowPass(worker)) > 0);
  const [same, different, unread] = requests.map(({ platformRef }) => platformRef);
  await extendedByHand(tenant, same ?? "", target);
  await extendedByHand(tenant, different ?? "", inDays(5));
  await shop.ledger.owner.$executeRaw`
    UPDATE shadow_records SET canonical_text = replace(canonical_text, ${unread ?? ""}, 'env_gone')
    WHERE tenant_id = ${tenant.tenantId}::uuid`;
  await compareNow(tenant);
  const byRef = new Map((await recordsOf(tenant)).map((record) => [record.requestRef, record]));
  expect(requests.map(({ ref }) => byRef.get(ref)?.comparison)).toEqual([
    "same",
    "different",
    "not_comparable",
  ]);
  expect(byRef.get(requests[0]?.ref ?? "")?.observed).toContain(target.slice(0, 16));
});

test("GO-1 PL-5: a record whose request ended first says that it would not have acted, and why, and fits what is shown", async () => {
  const tenant = await aTenantIn("shadow");
  const request = await aRealRequest(shop, tenant, inDays(3));
  await anApprovedExtension(shop, tenant, request, inDays(10));
  await shop.sandbox.control.act(tenant.account.id, request.platformRef, { change: "complete" });
  const worker = await shop.worker();
  await shadowPass(worker);
  expect(await recordOf(tenant)).toMatchObject({
    wouldAct: false,
    verdict: "obsolete",
    reason: "request_completed_first",
  });
  await compareNow(tenant);
  expect(await recordOf(tenant)).toMatchObject({ state: "compared", comparison: "same" });
});

test("GO-1 ID-5: a shadowed send whose contact changed since would not have gone out", async () => {
  const tenant = await aTenantIn("shadow", "send");
  await anApprovedSend(shop, tenant, inDays(9));
  const { tenantId } = tenant;
  const { ctx } = shop.ledger;
  const payload = parsePayload((await recordOf(tenant)).canonicalText);
  const subjectRef = payload.kind === "send" ? (payload.signers[0]?.subject_ref ?? "") : "";
  await asTenant(ctx.db, tenantId, async (tx) => {
    await storeContact(tx, { tenantId, vaultKey: ctx.vaultKey }, subjectRef, {
      name: "Pat Example",
      email: "pat.other@sign.invalid",
    });
  });
  await shadowPass(await shop.worker());
  expect(await recordOf(tenant)).toMatchObject({
    wouldAct: false,
    reason: "payload_changed_after_approval",
  });
  expect(await effectsOf(shop, tenant, {})).toEqual([]);
});

test("GO-1: two workers at once judge a record once, and kinds that are off are left alone", async () => {
  const tenant = await aTenantIn("shadow");
  for (const days of [10, 11]) {
    const request = await aRealRequest(shop, tenant, inDays(3));
    await anApprovedExtension(shop, tenant, request, inDays(days));
  }
  const off = await aTenantIn("shadow");
  const request = await aRealRequest(shop, off, inDays(3));
  await anApprovedExtension(shop, off, request, inDays(10));
  const { first } = await twoOnCall(shop, off);
  await changeMode(shop.ledger.ctx, first, { kind: "extend", mode: "off", reason: "Not now." });

  const workers = await Promise.all([1, 2, 3].map(() => shop.worker()));
  await Promise.all(workers.map((worker) => shadowPass(worker)));
  expect((await recordsOf(tenant)).map(({ state }) => state)).toEqual(["judged", "judged"]);
  const reads = await shop.ledger.owner.readReceipt.count({
    where: { tenantId: tenant.tenantId, purpose: "shadow" },
  });
  expect(reads).toBe(2);
  expect((await recordsOf(off)).map(({ state }) => state)).toEqual(["planned"]);
});

test("GO-1: shadow to live takes a second person, and timers that were only recorded become operations once", async () => {
  const tenant = await aTenantIn("shadow", "remind");
  const { ctx, owner } = shop.ledger;
  const { tenantId, connectionId } = tenant;
  const { first, second } = await twoOnCall(shop, tenant);
  const request = await aRealRequest(shop, tenant, inDays(9));
  const [planId, replaced] = [randomUUID(), randomUUID()];
  await owner.request.update({
    where: { tenantId_ref: { tenantId, ref: request.ref } },
    data: { timerPlanId: planId },
  });
  const timer = (plan: string, occurrence: number, dueAt: Date) =>
    asTenant(ctx.db, tenantId, (tx) =>
      recordShadow(tx, tenantId, {
        kind: "remind",
        requestRef: request.ref,
        connectionId,
        canonicalText: "{}",
        payloadHash: "4".repeat(64),
        dueAt,
        plannedBy: "policy:remind-v3",
        planId: plan,
        occurrence,
      }),
    );
  await timer(planId, 1, new Date(Date.now() - 60_000));
  await timer(planId, 2, new Date(inDays(2)));
  await timer(planId, 3, new Date(inDays(4)));
  await timer(planId, 3, new Date(inDays(4)));
  await timer(replaced, 1, new Date(inDays(3)));

  const wish = { kind: "remind", mode: "live", reason: "Shadow agreed for a week." } as const;
  const { askId } = await changeMode(ctx, first, wish);
  const confirm = { kind: "remind", askId: askId ?? "" } as const;
  expect(await codeOf(confirmLive(ctx, first, confirm))).toBe("resume_same_person");
  expect(await codeOf(confirmLive(ctx, tenant.approver, confirm))).toBe("not_permitted");
  expect(await codeOf(confirmLive(ctx, second, { ...confirm, askId: randomUUID() }))).toBe(
    "mode_not_asked",
  );
  expect(await confirmLive(ctx, second, confirm)).toMatchObject({ mode: "live", released: 2 });
  expect(await codeOf(confirmLive(ctx, second, confirm))).toBe("mode_not_asked");

  const planned = () =>
    owner.operation.findMany({
      where: { tenantId, kind: "remind" },
      orderBy: { occurrence: "asc" },
      select: { opKey: true, state: true, occurrence: true, policyVersion: true, proposedBy: true },
    });
  const operations = [2, 3].map((occurrence) => ({
    opKey: `${request.ref}/remind/${planId}/${occurrence}`,
    state: "scheduled",
    occurrence,
    policyVersion: 3,
    proposedBy: "policy:remind-v3",
  }));
  expect(await planned()).toEqual(operations);
  await changeMode(ctx, first, { ...wish, mode: "shadow" });
  const again = await changeMode(ctx, second, wish);
  const { released } = await confirmLive(ctx, first, { ...confirm, askId: again.askId ?? "" });
  expect([released, await planned()]).toEqual([0, operations]);
  const events = await owner.controlEvent.findMany({
    where: { tenantId },
    orderBy: { at: "asc" },
    select: { kind: true, about: true },
  });
  expect(new Set(events.map(({ about }) => about))).toEqual(new Set(["kind:remind"]));
  expect(events.map(({ kind }) => kind)).toEqual([
    "mode_asked",
    "mode_changed",
    "mode_changed",
    "mode_asked",
    "mode_changed",
  ]);
  expect(JSON.stringify(await owner.controlEvent.findMany({ where: { tenantId } }))).not.toContain(
    "Shadow agreed",
  );
});

test("GO-1: a timer of a plan that was replaced is dropped unread, and what was proposed in shadow stays a shadow", async () => {
  const tenant = await aTenantIn("shadow");
  const { ctx, owner } = shop.ledger;
  const { tenantId, connectionId } = tenant;
  const request = await aRealRequest(shop, tenant, inDays(3));
  await asTenant(ctx.db, tenantId, (tx) =>
    recordShadow(tx, tenantId, {
      kind: "remind",
      requestRef: request.ref,
      connectionId,
      canonicalText: "{}",
      payloadHash: "4".repeat(64),
      dueAt: new Date(Date.now() - 1_000),
      plannedBy: "policy:remind-v1",
      planId: randomUUID(),
      occurrence: 1,
    }),
  );
  await shadowPass(await shop.worker());
  expect((await recordsOf(tenant)).map(({ state }) => state)).toEqual(["dropped"]);

  const { opId } = await proposeExtension(ctx, tenant.proposer, {
    approvalId: randomUUID(),
    requestRef: request.ref,
    date: inDays(8).slice(0, 10),
    time: "12:00",
    zone: "UTC",
    reason: "More time.",
  });
  await owner.kindMode.update({
    where: { tenantId_kind: { tenantId, kind: "extend" } },
    data: { mode: "live" },
  });
  await approveNow(shop, tenant, opId, request.receiptId);
  expect((await operationOf(shop, tenant, opId)).reason).toBe("shadow_recorded");
});
