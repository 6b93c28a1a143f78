import { afterAll, beforeAll, expect, test } from "vitest";
import { decisionSelectionPage } from "@/lib/queries/decision-selection-page";
import { asTenant } from "@/lib/store/db";
import { openRequestReview } from "@/lib/store/review-items";
import {
  anOnCall,
  decideNow,
  executeDue,
  handToPerson,
  itemPage,
  openItemOf,
  settled,
  WHY,
} from "@/lib/testing/decisions";
import { waitUntil } from "@/lib/testing/processes";
import { refusalOf } from "@/lib/testing/refusals";
import { anApprovedSend } from "@/lib/testing/sends";
import { aMember } from "@/lib/testing/tenants";
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
import { askOverride } from "./ask-override";
import { bulkDecide, stopBulk } from "./bulk-decide";
import { confirmOverride } from "./confirm-override";
import type { Actor } from "./context";
import { freezeSelection } from "./freeze-selection";
import { refuseOverride } from "./refuse-override";
import { settleByRead } from "./settle-by-read";
import { settleDecisions } from "./settle-decisions";
import type { WorkerContext } from "./worker-context";

/** Long enough for a busy machine: no call of these tests ends by its time-out. */
const PATIENT = { callTimeoutMs: 5_000, leaseMs: 30_000 };

let shop: Workshop;
let worker: WorkerContext;
beforeAll(async () => {
  shop = await openWorkshop();
  worker = await shop.worker();
});
afterAll(() => shop.close());

interface Stuck {
  readonly tenant: ShopTenant;
  readonly onCall: Actor;
  readonly opId: string;
  readonly itemId: string;
  readonly platformRef: string;
  readonly requestRef: string;
}

/** An extension whose call was answered with an error, before or after its effect, and that a person has now. */
async function stuck(
  fault: "error_before" | "error_after",
  state: "needs_review" | "quarantined" = "needs_review",
  reason = "reconcile_bound_reached",
): Promise<Stuck> {
  const tenant = await shop.tenant("exact", PATIENT);
  const request = await aRealRequest(shop, tenant, inDays(3));
  const opId = await anApprovedExtension(shop, tenant, request, inDays(10));
  await shop.sandbox.control.addFault(tenant.account.id, { fault, operation: "extend" });
  await executeDue(worker);
  const itemId = await handToPerson(shop, tenant, opId, state, reason);
  const onCall = await anOnCall(shop, tenant);
  const { platformRef, ref: requestRef } = request;
  return { tenant, onCall, opId, itemId, platformRef, requestRef };
}

function itemRow(id: string) {
  return shop.ledger.owner.reviewItem.findFirstOrThrow({ where: { id } });
}

function extended({ tenant, platformRef }: Stuck) {
  return effectsOf(shop, tenant, { requestId: platformRef, kind: "extended" });
}

async function untilOpen({ onCall, itemId }: Stuck, code: string): Promise<void> {
  await waitUntil(
    async () => {
      const { options } = await itemPage(shop.ledger, onCall, itemId);
      return options.some((option) => option.code === code && option.open);
    },
    { what: `${code} is open` },
  );
}

test("RV-3: a decision stands when a fresh read agrees: item closed as proven, history and timeline say who and by what", async () => {
  const one = await stuck("error_after");
  const { ledger } = shop;
  const decided = await decideNow(ledger, one.onCall, one.itemId, "applied");
  expect(decided.outcome).toBe("reading");
  const view = await settled(ledger, worker, one.onCall, one.itemId, decided);

  expect(view).toMatchObject({ outcome: "proven", byYou: true, reason: WHY });
  expect(await operationOf(shop, one.tenant, one.opId)).toMatchObject({
    state: "done",
    reason: "decided_applied",
  });
  expect(await itemRow(one.itemId)).toMatchObject({
    status: "closed_proven",
    closedBy: one.onCall.id,
    decisionId: decided.decisionId,
  });
  const receipt = await ledger.owner.readReceipt.findFirstOrThrow({
    where: { id: view.receipt?.id ?? "" },
  });
  expect([receipt.purpose, receipt.opId]).toEqual(["decision", one.opId]);
  const { timeline } = await itemPage(ledger, one.onCall, one.itemId);
  const words = timeline.map((entry) => (entry.source === "item" ? entry.act : entry.reason));
  expect(
    words.filter((word) => ["opened", "decided", "closed", "decided_applied"].includes(word)),
  ).toEqual(expect.arrayContaining(["opened", "decided", "closed", "decided_applied"]));
  const event = await ledger.owner.operationEvent.findFirstOrThrow({
    where: { opId: one.opId, reason: "decided_applied" },
  });
  expect(event.actor).toBe(`user:${one.onCall.id}`);
  expect(event.body).not.toContain(WHY);
  expect(await extended(one)).toHaveLength(1);
});

test("RV-3 C-12: a fresh read that disagrees decides nothing, and the difference is kept", async () => {
  const one = await stuck("error_before");
  const before = await operationOf(shop, one.tenant, one.opId);
  const decided = await decideNow(shop.ledger, one.onCall, one.itemId, "applied");
  const view = await settled(shop.ledger, worker, one.onCall, one.itemId, decided);

  expect(view).toMatchObject({ outcome: "refused_by_read", mayAskSecond: true });
  expect(view.difference?.[0]).toMatchObject({ field: "expires_at", differs: true });
  const after = await operationOf(shop, one.tenant, one.opId);
  expect([after.state, after.chainHead]).toEqual([before.state, before.chainHead]);
  expect((await itemRow(one.itemId)).closedAt).toBeNull();
});

test("RV-3: an override needs another person, ends as not proven, and never schedules again", async () => {
  const one = await stuck("error_after");
  const { ledger } = shop;
  const second = await anOnCall(shop, one.tenant);
  await untilOpen(one, "not_applied");
  const decided = await decideNow(ledger, one.onCall, one.itemId, "not_applied");
  await settled(ledger, worker, one.onCall, one.itemId, decided);
  const ids = { itemId: one.itemId, decisionId: decided.decisionId };
  const asked = { ...ids, reason: null };
  expect((await refusalOf(askOverride(ledger.ctx, second, asked))).code).toBe("not_permitted");
  expect(await askOverride(ledger.ctx, one.onCall, asked)).toMatchObject({
    outcome: "second_person",
  });
  expect((await itemRow(one.itemId)).status).toBe("second_person");

  const reason = "I saw it on the platform's own page.";
  const own = confirmOverride(ledger.ctx, one.onCall, { ...ids, reason });
  expect((await refusalOf(own)).code).toBe("decided_first");
  const stranger = await aMember(ledger.owner, one.tenant.tenantId, "compliance");
  const foreign = confirmOverride(ledger.ctx, stranger, { ...ids, reason });
  expect((await refusalOf(foreign)).code).toBe("not_permitted");
  const empty = confirmOverride(ledger.ctx, second, { ...ids, reason: " " });
  expect((await refusalOf(empty)).code).toBe("reason_empty");
  await confirmOverride(ledger.ctx, second, { ...ids, reason });
  const view = await settled(ledger, worker, one.onCall, one.itemId, decided);

  expect(view).toMatchObject({ outcome: "overridden", second: { answer: "confirmed", reason } });
  expect(await operationOf(shop, one.tenant, one.opId)).toMatchObject({
    state: "obsolete",
    reason: "not_proven",
  });
  expect(await itemRow(one.itemId)).toMatchObject({
    status: "closed_override",
    closedBy: second.id,
  });
});

test("RV-3: who made the decision that is reversed cannot confirm, and a refusal leaves the item open", async () => {
  const one = await stuck("error_before");
  const { ledger } = shop;
  const [author, first, third] = [
    one.onCall,
    await anOnCall(shop, one.tenant),
    await anOnCall(shop, one.tenant),
  ];
  await untilOpen(one, "schedule_again");
  await shop.sandbox.control.addFault(one.tenant.account.id, {
    fault: "error_before",
    operation: "extend",
  });
  const again = await decideNow(ledger, author, one.itemId, "schedule_again");
  expect((await settled(ledger, worker, author, one.itemId, again)).outcome).toBe("proven");
  await executeDue(worker);
  const itemId = await handToPerson(shop, one.tenant, one.opId);
  const decided = await decideNow(ledger, first, itemId, "applied");
  await settled(ledger, worker, first, itemId, decided);
  const ids = { itemId, decisionId: decided.decisionId };
  await askOverride(ledger.ctx, first, { ...ids, reason: null });

  const own = confirmOverride(ledger.ctx, author, { ...ids, reason: WHY });
  expect((await refusalOf(own)).code).toBe("reverses_own_decision");
  await refuseOverride(ledger.ctx, third, { ...ids, reason: WHY });
  expect(await itemRow(itemId)).toMatchObject({ status: "open", closedAt: null });
  expect((await operationOf(shop, one.tenant, one.opId)).state).toBe("needs_review");
  const late = confirmOverride(ledger.ctx, await anOnCall(shop, one.tenant), {
    ...ids,
    reason: WHY,
  });
  expect((await refusalOf(late)).code).toBe("override_not_waiting");
});

test("two people deciding at once: one decision, the other is told, and a closed item says how", async () => {
  const one = await stuck("error_after");
  const { ledger } = shop;
  const other = await anOnCall(shop, one.tenant);
  const both = await Promise.allSettled([
    decideNow(ledger, one.onCall, one.itemId, "applied"),
    decideNow(ledger, other, one.itemId, "applied"),
  ]);
  const [told] = both.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  expect(told).toMatchObject({ code: "decision_under_way", status: 409 });
  expect(told.message).toContain("An on-call engineer is deciding this since");
  expect(await ledger.owner.decision.count({ where: { itemId: one.itemId } })).toBe(1);
  while ((await settleDecisions(worker)) > 0);
  const late = await refusalOf(decideNow(ledger, other, one.itemId, "not_needed"));
  expect(late.code).toBe("already_decided");
});

test("RC-8: until a call can no longer land nothing is called not applied; the page says from when on", async () => {
  const one = await stuck("error_before");
  const { options } = await itemPage(shop.ledger, one.onCall, one.itemId);
  for (const code of ["not_applied", "not_needed", "schedule_again"]) {
    const option = options.find((each) => each.code === code);
    expect(option).toMatchObject({ open: false, closedBecause: "decision_absence_open" });
    expect(Date.parse(option?.opensAt ?? "")).toBeGreaterThan(Date.now() - 1_000);
  }
  const early = await refusalOf(decideNow(shop.ledger, one.onCall, one.itemId, "not_applied"));
  expect(early).toMatchObject({ code: "decision_absence_open", status: 409 });
  await untilOpen(one, "not_applied");
  const decided = await decideNow(shop.ledger, one.onCall, one.itemId, "not_applied");
  await settled(shop.ledger, worker, one.onCall, one.itemId, decided);
  expect(await operationOf(shop, one.tenant, one.opId)).toMatchObject({
    state: "failed_terminal",
    reason: "decided_not_applied",
  });
});

test("RC-8 RV-3: schedule again goes out once with proof, and without proof nobody can make it go", async () => {
  const { ledger } = shop;
  const proven = await stuck("error_before");
  await untilOpen(proven, "schedule_again");
  const decided = await decideNow(ledger, proven.onCall, proven.itemId, "schedule_again");
  await settled(ledger, worker, proven.onCall, proven.itemId, decided);
  await executeDue(worker);
  expect((await operationOf(shop, proven.tenant, proven.opId)).state).toBe("done");
  expect(await extended(proven)).toHaveLength(1);

  const there = await stuck("error_after");
  await untilOpen(there, "schedule_again");
  const wrong = await decideNow(ledger, there.onCall, there.itemId, "schedule_again");
  const view = await settled(ledger, worker, there.onCall, there.itemId, wrong);
  expect(view).toMatchObject({ outcome: "refused_by_read", mayAskSecond: false });
  const ids = { itemId: there.itemId, decisionId: wrong.decisionId, reason: null };
  const asked = await refusalOf(askOverride(ledger.ctx, there.onCall, ids));
  expect(asked.code).toBe("override_not_offered");
  await executeDue(worker);
  expect(await extended(there)).toHaveLength(1);
});

test("who may decide: on-call and the owner's team, with a reason that can stay, on the facts on screen", async () => {
  const one = await stuck("error_after", "quarantined", "neither_old_nor_new");
  const { ledger } = shop;
  const codeOf = async (actor: Actor, more: object = {}) =>
    (await refusalOf(decideNow(ledger, actor, one.itemId, "applied", more))).code;
  expect(await codeOf(one.tenant.proposer)).toBe("not_permitted");
  expect(await codeOf(one.onCall, { reason: "" })).toBe("reason_empty");
  expect(await codeOf(one.onCall, { reason: "ask pat@sign.invalid about it" })).toBe(
    "personal_data",
  );
  expect(await codeOf(one.onCall, { expected: "f".repeat(64) })).toBe("item_changed");
  const again = refusalOf(decideNow(ledger, one.onCall, one.itemId, "schedule_again"));
  expect((await again).code).toBe("decision_quarantined");
  await ledger.owner.reviewItem.updateMany({
    where: { id: one.itemId },
    data: { owner: "team:account-managers", team: "team:account-managers" },
  });
  const decided = await decideNow(ledger, one.tenant.proposer, one.itemId, "applied");
  expect(decided.outcome).toBe("reading");
});

test("PL-7: without a free read nothing is decided, and the person is told when one is free", async () => {
  const one = await stuck("error_after");
  const { tenantId, connectionId } = one.tenant;
  await shop.ledger.owner.connectionLimit.create({
    data: { tenantId, connectionId, readsPerHour: 1, changedBy: "user:test" },
  });
  const decided = await decideNow(shop.ledger, one.onCall, one.itemId, "applied");
  const view = await settled(shop.ledger, worker, one.onCall, one.itemId, decided);
  expect(view.outcome).toBe("budget_empty");
  expect(Date.parse(view.possibleAt ?? "")).toBeGreaterThan(Date.now());
  expect((await itemRow(one.itemId)).closedAt).toBeNull();
});

test("PL-7 RV-3: a bulk decision that many workers take up together makes no read beyond the budget", async () => {
  const { ledger } = shop;
  const tenant = await shop.tenant("exact", PATIENT);
  const onCall = await anOnCall(shop, tenant);
  const { tenantId, connectionId } = tenant;
  const items: string[] = [];
  for (let count = 0; count < 12; count += 1) {
    const { ref: requestRef } = await aRealRequest(shop, tenant, inDays(30));
    const about = { requestRef, reason: "platform_also_reminds", evidence: {} };
    await asTenant(ledger.owner, tenantId, (tx) =>
      openRequestReview(tx, tenantId, { ...about, owner: "team:account-managers" }),
    );
    items.push((await ledger.owner.reviewItem.findFirstOrThrow({ where: { requestRef } })).id);
  }
  const reads = () => ledger.owner.readReceipt.count({ where: { tenantId } });
  const before = await reads();
  await ledger.owner.connectionLimit.create({
    data: { tenantId, connectionId, readsPerHour: before + 3, changedBy: "user:test" },
  });
  const { id: selectionId } = await freezeSelection(ledger.ctx, onCall, items);
  await bulkDecide(ledger.ctx, onCall, { selectionId, option: "corrected", reason: WHY });
  const second = await shop.worker();
  await Promise.all([settleDecisions(worker), settleDecisions(second)]);
  while ((await settleDecisions(worker)) > 0);
  expect((await reads()) - before).toBe(3);
  const outcomes = await ledger.owner.decision.groupBy({
    by: ["outcome"],
    where: { tenantId },
    _count: true,
    orderBy: { outcome: "asc" },
  });
  expect(outcomes.map(({ outcome, _count }) => [outcome, _count])).toEqual([
    ["proven", 3],
    ["reading", 9],
  ]);
});

test("RV-3: a platform that cannot be read decides nothing", async () => {
  const one = await stuck("error_after");
  await shop.sandbox.control.addFault(one.tenant.account.id, {
    fault: "read_error",
    operation: "read",
  });
  const decided = await decideNow(shop.ledger, one.onCall, one.itemId, "applied");
  const view = await settled(shop.ledger, worker, one.onCall, one.itemId, decided);
  expect(view).toMatchObject({ outcome: "unreadable", mayAskSecond: true });
  expect((await operationOf(shop, one.tenant, one.opId)).state).toBe("needs_review");
});

test("RC-3 C-11: of two requests with one reference one is kept, and a ledgered void takes back the other only", async () => {
  const { ledger } = shop;
  const tenant = await shop.tenant("exact", PATIENT);
  const onCall = await anOnCall(shop, tenant);
  const { opId } = await anApprovedSend(shop, tenant, inDays(12));
  await shop.sandbox.control.addFault(tenant.account.id, {
    fault: "error_after",
    operation: "send",
  });
  await executeDue(worker);
  const signer = {
    subjectRef: "s_one",
    role: "signer",
    order: 1,
    name: "Pat",
    email: "pat@sign.invalid",
  };
  await tenant.account.provider.send(
    {
      opId,
      documentDigest: "d".repeat(64),
      templateId: null,
      templateVersion: null,
      title: "A contract",
      message: "",
      expiresAt: inDays(12),
      remindersByPlatform: false,
      signers: [signer],
    },
    { timeoutMs: 5_000 },
  );
  await waitUntil(
    async () => {
      await oneRound(worker);
      return (await operationOf(shop, tenant, opId)).reason === "possible_duplicate";
    },
    { what: "the duplicate is seen" },
  );
  const itemId = await openItemOf(shop, opId);
  const { matches } = await itemPage(ledger, onCall, itemId);
  expect(matches).toHaveLength(2);
  const none = await refusalOf(decideNow(ledger, onCall, itemId, "keep_one"));
  expect(none.code).toBe("reference_needed");
  const [extra, kept] = matches.map(({ platformRef }) => platformRef);
  const decided = await decideNow(ledger, onCall, itemId, "keep_one", { kept: kept ?? "" });
  const view = await settled(ledger, worker, onCall, itemId, decided);

  expect(view).toMatchObject({ outcome: "proven", proposedOps: [expect.any(String)] });
  expect(await operationOf(shop, tenant, opId)).toMatchObject({ state: "done", platformRef: kept });
  const [voidId = ""] = view.proposedOps;
  expect(await operationOf(shop, tenant, voidId)).toMatchObject({
    kind: "void",
    state: "proposed",
  });
  expect(await effectsOf(shop, tenant, { kind: "voided" })).toHaveLength(0);
  await approveNow(shop, tenant, voidId, null);
  await executeDue(worker);
  expect((await operationOf(shop, tenant, voidId)).state).toBe("done");
  const voided = await effectsOf(shop, tenant, { kind: "voided" });
  expect(voided.map(({ request_id: requestId }) => requestId)).toEqual([extra]);
});

/** A send that was carried out and answered with an error, at a platform that cannot be searched. */
async function unsearchable() {
  const tenant = await shop.tenant("no_lookup", PATIENT);
  const { opId, ref } = await anApprovedSend(shop, tenant, inDays(12));
  await shop.sandbox.control.addFault(tenant.account.id, {
    fault: "error_after",
    operation: "send",
  });
  await waitUntil(
    async () => {
      await oneRound(worker);
      return (await operationOf(shop, tenant, opId)).reason === "no_lookup";
    },
    { what: "a person is asked" },
  );
  const onCall = await anOnCall(shop, tenant);
  return { tenant, opId, ref, onCall, itemId: await openItemOf(shop, opId) };
}

function requestRow(ref: string) {
  return shop.ledger.owner.request.findFirstOrThrow({ where: { ref } });
}

test("screens 4.8: a reference found by hand is read and compared; a wrong one decides nothing and is not taken over", async () => {
  const { ledger } = shop;
  const { tenant, opId, ref, onCall, itemId } = await unsearchable();
  const [sent] = await effectsOf(shop, tenant, { clientReference: opId, kind: "sent" });
  const platformRef = sent?.request_id ?? "";
  expect((await itemPage(ledger, onCall, itemId)).lookFor).toContain(`reference field ${opId}`);
  const wrong = await decideNow(ledger, onCall, itemId, "applied", { kept: "env_of_nobody" });
  const refused = await settled(ledger, worker, onCall, itemId, wrong);
  expect(refused).toMatchObject({ outcome: "refused_by_read", showsCode: "missing_at_platform" });
  const ids = { itemId, decisionId: wrong.decisionId, reason: null };
  expect((await refusalOf(askOverride(ledger.ctx, onCall, ids))).code).toBe("override_not_offered");
  expect((await requestRow(ref)).platformRef).toBeNull();
  const right = await decideNow(ledger, onCall, itemId, "applied", { kept: platformRef });
  const view = await settled(ledger, worker, onCall, itemId, right);
  expect(view.outcome).toBe("proven");
  expect(await operationOf(shop, tenant, opId)).toMatchObject({ state: "done", platformRef });
  expect(await requestRow(ref)).toMatchObject({ platformRef, mirrorStatus: "sent" });
});

test("screens 4.8: that it is not there only two people can say, and it ends as not proven", async () => {
  const { ledger } = shop;
  const { tenant, opId, onCall, itemId } = await unsearchable();
  await waitUntil(
    async () => {
      const { options } = await itemPage(ledger, onCall, itemId);
      return options.some(({ code, open }) => code === "not_applied" && open);
    },
    { what: "the call can no longer land" },
  );
  const decided = await decideNow(ledger, onCall, itemId, "not_applied");
  expect(decided.outcome).toBe("second_person");
  const ids = { itemId, decisionId: decided.decisionId, reason: WHY };
  const wanted = await ledger.owner.notice.count({
    where: { tenantId: tenant.tenantId, kind: "second_person_wanted" },
  });
  expect(wanted).toBe(1);
  await confirmOverride(ledger.ctx, await anOnCall(shop, tenant), ids);
  await settled(ledger, worker, onCall, itemId, decided);
  const ended = { state: "obsolete", reason: "not_proven" };
  expect(await operationOf(shop, tenant, opId)).toMatchObject(ended);
  expect((await itemRow(itemId)).status).toBe("closed_override");
});

test("RV-1: what a later read settles stays as settled until its owner has seen it", async () => {
  const one = await stuck("error_after");
  const { owner } = shop.ledger;
  const due = () => owner.$executeRaw`
    UPDATE review_items SET next_read_at = ledger_now() WHERE id = ${one.itemId}::uuid`;
  await due();
  await settleByRead(worker);
  expect(await operationOf(shop, one.tenant, one.opId)).toMatchObject({
    state: "done",
    reason: "effect_confirmed",
  });
  expect(await itemRow(one.itemId)).toMatchObject({ status: "settled", closedAt: null });
  const refusal = await refusalOf(decideNow(shop.ledger, one.onCall, one.itemId, "applied"));
  expect(refusal.code).toBe("item_settled");
});

test("ID-7 CL-4: what is replaced after a call ends superseded once absence is proven, and only then the new one starts", async () => {
  const one = await stuck("error_before", "quarantined", "neither_old_nor_new");
  const request = await shop.ledger.owner.request.findFirstOrThrow({
    where: { ref: one.requestRef },
  });
  const newer = await anApprovedExtension(
    shop,
    one.tenant,
    { ref: one.requestRef, receiptId: request.mirrorReceiptId ?? "" },
    inDays(20),
    one.opId,
  );
  await executeDue(worker);
  expect((await operationOf(shop, one.tenant, newer)).state).toBe("scheduled");
  await waitUntil(
    async () => {
      await settleByRead(worker);
      return (await operationOf(shop, one.tenant, one.opId)).state === "superseded";
    },
    { what: "the replaced one has ended" },
  );
  await executeDue(worker);
  expect((await operationOf(shop, one.tenant, newer)).state).toBe("done");
  expect(await extended(one)).toHaveLength(1);
});

test("RV-3: fifty items are decided with one reason, and the figures add up: proven, not proven, not attempted", async () => {
  const { ledger } = shop;
  const tenant = await shop.tenant("exact", PATIENT);
  const onCall = await anOnCall(shop, tenant);
  const { tenantId, connectionId } = tenant;
  const requests: Awaited<ReturnType<typeof aRealRequest>>[] = [];
  for (let count = 0; count < 48; count += 1) {
    requests.push(await aRealRequest(shop, tenant, inDays(30)));
  }
  for (const { platformRef } of requests.slice(0, 3)) {
    const on = { change: "set_reminders", on: true } as const;
    await shop.sandbox.control.act(tenant.account.id, platformRef, on);
  }
  const refs = [...requests.map(({ ref }) => ref), "req_unread_one", "req_unread_two"];
  for (const ref of refs.slice(48)) {
    await ledger.owner.request.create({ data: { tenantId, ref, connectionId, zone: "UTC" } });
  }
  const items: string[] = [];
  for (const requestRef of refs) {
    const about = { requestRef, reason: "platform_also_reminds", evidence: {} };
    await asTenant(ledger.owner, tenantId, (tx) =>
      openRequestReview(tx, tenantId, { ...about, owner: "team:account-managers" }),
    );
    items.push((await ledger.owner.reviewItem.findFirstOrThrow({ where: { requestRef } })).id);
  }
  const { id, count } = await freezeSelection(ledger.ctx, onCall, items);
  expect(count).toBe(50);
  const wish = { selectionId: id, option: "corrected", reason: WHY } as const;
  await bulkDecide(ledger.ctx, onCall, wish);
  expect((await refusalOf(bulkDecide(ledger.ctx, onCall, wish))).code).toBe("selection_decided");
  while ((await settleDecisions(worker)) > 0);
  const viewer = { accountId: onCall.id, role: onCall.role, vaultKey: ledger.ctx.vaultKey };
  const page = await decisionSelectionPage(ledger.ctx.db, tenantId, viewer, id);
  expect(page?.results).toEqual({ waiting: 0, proven: 45, not_proven: 3, not_attempted: 2 });
  const closed = await ledger.owner.reviewItem.count({
    where: { tenantId, status: "closed_proven" },
  });
  expect(closed).toBe(45);
  expect(await stopBulk(ledger.ctx, onCall, id)).toEqual({ stopped: 0 });
  const mixed = await stuck("error_after");
  const other = refusalOf(freezeSelection(ledger.ctx, onCall, [items[0] ?? "", mixed.itemId]));
  expect((await other).code).toBe("not_found");
});
