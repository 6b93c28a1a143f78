import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SandboxProfileName } from "@/lib/providers/sandbox/profiles";
import { recordContacts } from "@/lib/store/contacts";
import { storeContact } from "@/lib/store/vault";
import { waitUntil } from "@/lib/testing/processes";
import { anApprovedSend } from "@/lib/testing/sends";
import { makeDue, workUntil } from "@/lib/testing/timers";
import {
  approveNow,
  effectsOf,
  inDays,
  mirrorNow,
  oneRound,
  openWorkshop,
  operationOf,
  QUICK_BOUNDS,
  type ShopTenant,
  type Workshop,
} from "@/lib/testing/workshop";
import type { NewFaultRule } from "@/sandbox/control-client";
import { proposeExpiry } from "./propose-expire";
import { proposeReminder } from "./propose-remind";
import { proposeResend } from "./propose-resend";
import { proposeVoid } from "./propose-void";
import type { WorkerContext } from "./worker-context";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.close());

const TWO = [
  { name: "Pat Example", email: "pat@sign.invalid", role: "signer", order: 1 },
  { name: "Kim Example", email: "kim@sign.invalid", role: "signer", order: 2 },
];
const REASON = "Replaced by a corrected contract.";

interface Scene {
  readonly tenant: ShopTenant;
  readonly worker: WorkerContext;
  readonly ref: string;
  readonly platformRef: string;
  /** Whoever signs, by the reference that the platform knows, in order. */
  readonly signers: readonly string[];
}

/** A request to two signers that was sent through the ledger. */
async function aScene(
  profile: SandboxProfileName = "exact",
  bounds = QUICK_BOUNDS,
): Promise<Scene> {
  const tenant = await shop.tenant(profile);
  const worker = await shop.worker({ bounds });
  const { opId, ref } = await anApprovedSend(shop, tenant, inDays(3), TWO);
  const { platformRef } = await workUntil(shop, tenant, worker, opId, "done");
  if (platformRef === null) throw new Error("a confirmed send has its reference");
  await letContactsAge(ref);
  const [shown] = await shop.sandbox.control.requests(tenant.account.id);
  const signers = shown?.signers.map(({ reference }) => reference) ?? [];
  return { tenant, worker, ref, platformRef, signers };
}

/** The sending itself is a contact; two days later the signers may be reminded. */
async function letContactsAge(ref: string): Promise<void> {
  const { owner } = shop.ledger;
  await owner.$transaction([
    owner.$executeRaw`ALTER TABLE signer_contacts DISABLE TRIGGER USER`,
    owner.$executeRaw`UPDATE signer_contacts SET at = at - interval '2 days' WHERE request_ref = ${ref}`,
    owner.$executeRaw`ALTER TABLE signer_contacts ENABLE TRIGGER USER`,
  ]);
}

type Kind = "void" | "expire" | "remind" | "resend";

/** An approved operation of that kind on the scene's request; it is due. */
async function approved(scene: Scene, kind: Kind): Promise<string> {
  const { tenant, ref, platformRef } = scene;
  const receiptId = await mirrorNow(shop, tenant, ref, platformRef);
  const wish = { approvalId: randomUUID(), requestRef: ref, reason: REASON };
  const { ctx } = shop.ledger;
  const ways = {
    void: () => proposeVoid(ctx, tenant.proposer, wish),
    expire: () => proposeExpiry(ctx, tenant.proposer, { ...wish, when: "now" }),
    remind: () => proposeReminder(ctx, tenant.proposer, wish),
    resend: () => proposeResend(ctx, tenant.proposer, wish),
  };
  const { opId } = await ways[kind]();
  await approveNow(shop, tenant, opId, receiptId);
  return opId;
}

function fault({ tenant }: Scene, rule: NewFaultRule) {
  return shop.sandbox.control.addFault(tenant.account.id, rule);
}

const once: Pick<NewFaultRule, "occurs"> = { occurs: { kind: "first", times: 1 } };

/** Works until the operation is in a state that it does not leave by itself. */
async function ended({ tenant, worker }: Scene, opId: string) {
  return waitUntil(
    async () => {
      await oneRound(worker);
      const row = await operationOf(shop, tenant, opId);
      const open = ["proposed", "scheduled", "claimed", "submitting", "needs_reconcile"];
      return open.includes(row.state) ? null : row;
    },
    { timeoutMs: 40_000, what: "the operation has ended" },
  );
}

async function effects({ tenant, platformRef }: Scene, kind: string): Promise<number> {
  return (await effectsOf(shop, tenant, { requestId: platformRef, kind })).length;
}

function request({ tenant: { tenantId }, ref }: Scene) {
  return shop.ledger.owner.request.findUniqueOrThrow({
    where: { tenantId_ref: { tenantId, ref } },
  });
}

function contacts({ tenant: { tenantId }, ref }: Scene, opId: string) {
  return shop.ledger.owner.signerContact.findMany({
    where: { tenantId, requestRef: ref, opId },
    orderBy: { subjectRef: "asc" },
  });
}

// ---------------------------------------------------------------- void and expire

test("PL-6 ID-5: a void is done when a read shows it, and signers read the approved reason", async () => {
  const scene = await aScene();
  const opId = await approved(scene, "void");

  expect(await ended(scene, opId)).toMatchObject({ state: "done", reason: "effect_confirmed" });
  expect(await request(scene)).toMatchObject({ mirrorStatus: "voided", mirrorTerminal: true });
  const [shown] = await shop.sandbox.control.requests(scene.tenant.account.id);
  const page = await (await fetch(shown?.signers[0]?.sign_url ?? "")).text();
  expect(page).toContain(REASON);
});

test("C-14a: a void that is accepted and does nothing ends as not applied, never as voided", async () => {
  const scene = await aScene("exact", { ...QUICK_BOUNDS, attemptsMax: 2 });
  await fault(scene, { fault: "ignored", operation: "void", occurs: { kind: "always" } });
  const opId = await approved(scene, "void");

  expect(await ended(scene, opId)).toMatchObject({
    state: "failed_terminal",
    reason: "void_not_applied",
    attempts: 2,
  });
  expect(await request(scene)).toMatchObject({ mirrorStatus: "sent", mirrorTerminal: false });
  expect(await effects(scene, "voided")).toBe(0);
});

test("C-14b PL-4: a void that comes after the last signature is not repeated, and the request is completed", async () => {
  const scene = await aScene();
  await fault(scene, { fault: "completed_by_person", operation: "void", ...once });
  const opId = await approved(scene, "void");

  expect(await ended(scene, opId)).toMatchObject({
    state: "obsolete",
    reason: "platform_refused_completed",
    attempts: 1,
  });
  expect(await request(scene)).toMatchObject({ mirrorStatus: "completed", mirrorTerminal: true });
  expect(await effects(scene, "voided")).toBe(0);
});

test("C-14c PL-6: a void that shows only later stays unknown until a read shows it", async () => {
  const scene = await aScene();
  await fault(scene, {
    fault: "queued",
    operation: "void",
    parameters: { delayMs: 1_100 },
    ...once,
  });
  const opId = await approved(scene, "void");

  const first = await workUntil(shop, scene.tenant, scene.worker, opId, "needs_reconcile");
  expect(first.reason).toBe("readback_shows_old_value");
  expect(await request(scene)).toMatchObject({ mirrorStatus: "sent" });
  expect(await ended(scene, opId)).toMatchObject({ state: "done", attempts: 1 });
  expect(await request(scene)).toMatchObject({ mirrorStatus: "voided" });
  expect(await effects(scene, "voided")).toBe(1);
});

test("PL-4: a signature between the read and the expiry's call leaves a completed request and no expiry", async () => {
  const scene = await aScene();
  await fault(scene, { fault: "completed_by_person", operation: "expire", ...once });
  const opId = await approved(scene, "expire");

  expect(await ended(scene, opId)).toMatchObject({
    state: "obsolete",
    reason: "platform_refused_completed",
  });
  expect(await request(scene)).toMatchObject({ mirrorStatus: "completed" });
  expect(await effects(scene, "completed")).toBe(1);
  expect(await effects(scene, "expired")).toBe(0);
});

test("RC-2: on a platform that lets an expired request live again, its expiry is the old value for an unknown void", async () => {
  const scene = await aScene("revivable");
  await fault(scene, { fault: "reset_before", operation: "void", ...once });
  const opId = await approved(scene, "void");
  await workUntil(shop, scene.tenant, scene.worker, opId, "needs_reconcile");
  const { id } = scene.tenant.account;
  await shop.sandbox.control.act(id, scene.platformRef, { change: "expire" });

  expect(await ended(scene, opId)).toMatchObject({
    state: "obsolete",
    reason: "request_expired_first",
  });
  const events = await shop.ledger.owner.operationEvent.findMany({
    where: { opId },
    orderBy: { seq: "asc" },
  });
  const reasons = events.map(({ reason }) => reason);
  expect(reasons).toContain("awaiting_quiescence");
  expect(reasons).toContain("absence_proven");
  expect(await request(scene)).toMatchObject({ mirrorStatus: "expired", mirrorTerminal: false });
});

// ---------------------------------------------------------------- reminders

test("RM-2 RM-3: one call reminds those who have not signed, and each contact is counted once", async () => {
  const scene = await aScene();
  const [first, second] = scene.signers;
  const opId = await approved(scene, "remind");
  await shop.sandbox.control.act(scene.tenant.account.id, scene.platformRef, {
    change: "sign",
    signer: first ?? "",
  });

  expect(await ended(scene, opId)).toMatchObject({ state: "done", reason: "effect_confirmed" });
  const reminded = await effectsOf(shop, scene.tenant, {
    requestId: scene.platformRef,
    kind: "reminded",
  });
  expect(reminded.map(({ value }) => value)).toEqual([second]);
  const counted = await contacts(scene, opId);
  expect(counted.every(({ certain, source }) => certain && source === "manual")).toBe(true);
});

test("RM-3 C-25b: nobody who has signed is reminded, and the read that shows it is the evidence", async () => {
  const scene = await aScene();
  const { id } = scene.tenant.account;
  const [first] = scene.signers;
  const receiptId = await mirrorNow(shop, scene.tenant, scene.ref, scene.platformRef);
  const { opId } = await proposeReminder(shop.ledger.ctx, scene.tenant.proposer, {
    approvalId: randomUUID(),
    requestRef: scene.ref,
    reason: REASON,
    subjectRefs: [first ?? ""],
  });
  await approveNow(shop, scene.tenant, opId, receiptId);
  await shop.sandbox.control.act(id, scene.platformRef, { change: "sign", signer: first ?? "" });

  expect(await ended(scene, opId)).toMatchObject({ state: "obsolete", reason: "skipped_signed" });
  expect(await effects(scene, "reminded")).toBe(0);
  const [read] = await shop.ledger.owner.readReceipt.findMany({
    where: { opId, purpose: "before" },
  });
  expect(JSON.parse(read?.body ?? "{}")).toMatchObject({ matches: [{ signed_by: [first] }] });
});

test("RM-3 C-25c: nobody is reminded once the business deadline has passed", async () => {
  const scene = await aScene();
  const opId = await approved(scene, "remind");
  const { tenantId } = scene.tenant;
  await shop.ledger.owner.request.update({
    where: { tenantId_ref: { tenantId, ref: scene.ref } },
    data: { businessDeadlineAt: new Date(Date.now() - 1_000) },
  });

  expect(await ended(scene, opId)).toMatchObject({
    state: "obsolete",
    reason: "skipped_past_deadline",
  });
  expect(await effects(scene, "reminded")).toBe(0);
});

test("RM-2: a contact after the approval makes the reminder skip", async () => {
  const scene = await aScene();
  const opId = await approved(scene, "remind");
  await recordContacts(shop.ledger.owner, scene.tenant.tenantId, {
    requestRef: scene.ref,
    subjectRefs: scene.signers.slice(0, 1),
    source: "elsewhere",
    opId: null,
    at: new Date(Date.now() - 60_000),
    certain: true,
    recordedBy: "system:test",
  });

  expect(await ended(scene, opId)).toMatchObject({ state: "obsolete", reason: "skipped_too_soon" });
  expect(await effects(scene, "reminded")).toBe(0);
});

test("RM-1: while the platform's own reminders are on, ours goes to a person", async () => {
  const scene = await aScene();
  const opId = await approved(scene, "remind");
  const { id } = scene.tenant.account;
  await shop.sandbox.control.act(id, scene.platformRef, { change: "set_reminders", on: true });

  const row = await ended(scene, opId);
  expect(row).toMatchObject({ state: "quarantined", reason: "platform_also_reminds" });
  expect(row.owner).not.toBe("");
  expect(await effects(scene, "reminded")).toBe(0);
});

test("ID-5: a contact that changed after the approval stops the reminder", async () => {
  const scene = await aScene();
  const opId = await approved(scene, "remind");
  const { tenantId } = scene.tenant;
  await storeContact(
    shop.ledger.owner,
    { tenantId, vaultKey: shop.ledger.ctx.vaultKey },
    scene.signers[0] ?? "",
    { name: "Pat Example", email: "pat.new@sign.invalid" },
  );

  expect(await ended(scene, opId)).toMatchObject({
    state: "needs_review",
    reason: "payload_changed_after_approval",
  });
  expect(await effects(scene, "reminded")).toBe(0);
});

test("PL-6: where no read can show a reminder, the platform's acceptance is the evidence and says so", async () => {
  const scene = await aScene("no_reminder_time");
  const opId = await approved(scene, "remind");

  expect(await ended(scene, opId)).toMatchObject({ state: "done", reason: "accepted_unverified" });
  expect(await effects(scene, "reminded")).toBe(2);
});

test("RC-5 RM-2: an unknown reminder that no read can show is let go and counts as sent", async () => {
  const scene = await aScene("no_reminder_time");
  await fault(scene, { fault: "reset_after", operation: "remind", ...once });
  const opId = await approved(scene, "remind");

  expect(await ended(scene, opId)).toMatchObject({ state: "obsolete", reason: "skipped_unknown" });
  expect(await effects(scene, "reminded")).toBe(2);
  const counted = await contacts(scene, opId);
  expect(counted.map(({ certain }) => certain)).toEqual([false, false]);
});

test("RC-5: an unknown reminder is found by the platform's last reminder, with one effect per signer", async () => {
  const scene = await aScene();
  await fault(scene, { fault: "reset_after", operation: "remind", ...once });
  const opId = await approved(scene, "remind");

  expect(await ended(scene, opId)).toMatchObject({ state: "done", attempts: 1 });
  expect(await effects(scene, "reminded")).toBe(2);
});

// ---------------------------------------------------------------- resends

test("RC-5: an unknown resend that the delivery record does not show has failed and is not repeated", async () => {
  const scene = await aScene();
  await fault(scene, { fault: "reset_before", operation: "resend", ...once });
  const opId = await approved(scene, "resend");

  expect(await ended(scene, opId)).toMatchObject({
    state: "failed_terminal",
    reason: "resend_not_delivered",
    attempts: 1,
  });
  expect(await effects(scene, "resent")).toBe(0);
});

test("RC-5: an unknown resend without a delivery record goes to a person", async () => {
  const scene = await aScene("no_reminder_time");
  await fault(scene, { fault: "reset_after", operation: "resend", ...once });
  const opId = await approved(scene, "resend");

  const row = await ended(scene, opId);
  expect(row).toMatchObject({ state: "needs_review", reason: "resend_unknown" });
  expect(row.owner).not.toBe("");
  expect(await effects(scene, "resent")).toBe(1);
});

test("PL-5: after a resend that moved the expiry, a later change expects the moved one", async () => {
  const scene = await aScene("relative_days");
  await shop.sandbox.control.moveClock(scene.tenant.account.id, { advance_ms: 86_400_000 });
  const resend = await approved(scene, "resend");
  const expire = await approved(scene, "expire");
  const { tenantId } = scene.tenant;
  await shop.ledger.owner.operation.update({
    where: { tenantId_opId: { tenantId, opId: expire } },
    data: { dueAt: new Date(inDays(1)) },
    select: { opId: true },
  });

  expect(await ended(scene, resend)).toMatchObject({ state: "done", reason: "effect_confirmed" });
  await makeDue(shop, tenantId, [expire]);
  expect(await ended(scene, expire)).toMatchObject({ state: "done", reason: "effect_confirmed" });
  expect(await effects(scene, "resent")).toBe(1);
  expect(await effects(scene, "expired")).toBe(1);
});
