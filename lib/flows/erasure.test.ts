import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { erasurePage } from "@/lib/queries/erasure-page";
import { decideNow, executeDue, itemPage, openItemOf, settled } from "@/lib/testing/decisions";
import { eventBody, inboxOf, receivePatiently, signedDelivery } from "@/lib/testing/deliveries";
import { checked, sealNow } from "@/lib/testing/history";
import { refusalOf } from "@/lib/testing/refusals";
import { aMember, letters } from "@/lib/testing/tenants";
import { dumpOf, openedDump } from "@/lib/testing/whole-database";
import {
  anApprovedExtension,
  approveNow,
  effectsOf,
  inDays,
  mirrorNow,
  openWorkshop,
  operationOf,
  type ShopTenant,
  type Workshop,
  wishOf,
} from "@/lib/testing/workshop";
import { askErasure } from "./ask-erasure";
import { askPack } from "./ask-pack";
import { claimDueWork } from "./claim-work";
import { confirmErasure, type Erased } from "./confirm-erasure";
import type { Actor } from "./context";
import { executeClaim } from "./execute";
import { liftHold } from "./lift-hold";
import { makePacks } from "./make-packs";
import { pause } from "./pause";
import { proposeExtension } from "./propose-extension";
import { proposeSend, type SendWish } from "./propose-send";
import { refuseErasure } from "./refuse-erasure";
import { revealContact } from "./reveal-contact";
import { runChecks } from "./run-checks";
import { setHold } from "./set-hold";
import { takePackFile } from "./take-pack";

const NAME = "Perpetua Canary-Quill";
const EMAIL = "perpetua.canary@quill.invalid";
const OTHER = { name: "Olin Bystander", email: "olin@bystander.invalid" };
const WHY = "The person asked for it by post.";
/** What a search of the dump looks for, in small letters. */
const TRACES = [NAME, EMAIL, "canary-quill", "perpetua"].map((word) => word.toLowerCase());

let shop: Workshop;
let tenant: ShopTenant;
let officer: Actor;
let admin: Actor;
let folder: string;
/** A send to the person that was made, and everything around it. */
let sent: SendWish;
let platformRef: string;
let subjectRef: string;
let otherRef: string;
/** Open operations of the person: scheduled, waiting for approval, and in a worker's hands. */
let scheduled: string;
let proposed: string;
let extension: { readonly wish: Parameters<typeof proposeExtension>[2]; readonly opId: string };
let early: Buffer;

function sendOf(signers: SendWish["signers"]): SendWish {
  return {
    approvalId: randomUUID(),
    requestRef: `req_${letters()}`,
    connectionId: tenant.connectionId,
    documents: [{ digest: "d".repeat(64), version: 1 }],
    signers,
    title: `Lease for ${NAME}`,
    message: `Dear ${NAME}, please sign. Questions go to ${EMAIL}.`,
    ...wishOf(inDays(20)),
    reminders: { owner: "application", intervalDays: null },
  };
}

async function pack(): Promise<Buffer> {
  const scope = { kind: "request", ref: sent.requestRef } as const;
  const { id } = await askPack(shop.ledger.ctx, officer, scope);
  const { owner, ctx } = shop.ledger;
  const worker = await shop.worker();
  while ((await makePacks({ owner, db: worker.db, log: ctx.log })) > 0);
  const pieces: Uint8Array[] = [];
  const file = await takePackFile(ctx, officer, id);
  for await (const piece of file.content) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The offline verifier over a file in an empty folder. */
async function verifyOffline(bytes: Buffer): Promise<string> {
  const file = path.join(folder, `${letters()}.zip`);
  await writeFile(file, bytes);
  const verifier = path.resolve("docs/verify-pack.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [verifier, file]);
  return stdout;
}

async function deliver(id: string, body: string): Promise<void> {
  await receivePatiently(shop.ledger.ctx, signedDelivery(tenant, id, body));
}

function tracesIn(text: string): string[] {
  const small = text.toLowerCase();
  return TRACES.filter((word) => small.includes(word));
}

async function asked(): Promise<string> {
  return (await askErasure(shop.ledger.ctx, officer, { subjectRef, reason: WHY })).id;
}

beforeAll(async () => {
  shop = await openWorkshop();
  folder = await mkdtemp(path.join(tmpdir(), "erasure-"));
  tenant = await shop.tenant("exact");
  const { owner, ctx } = shop.ledger;
  officer = await aMember(owner, tenant.tenantId, "compliance");
  admin = await aMember(owner, tenant.tenantId, "admin");
  sent = sendOf([
    { name: NAME, email: EMAIL, role: "tenant", order: 1 },
    { ...OTHER, role: "owner", order: 2 },
  ]);
  const { opId } = await proposeSend(ctx, tenant.proposer, sent);
  await approveNow(shop, tenant, opId, null);
  await executeDue(await shop.worker());
  const done = await operationOf(shop, tenant, opId);
  expect(done.state).toBe("done");
  platformRef = done.platformRef ?? "";
  const [first, second] = await owner.requestSigner.findMany({
    where: { tenantId: tenant.tenantId, requestRef: sent.requestRef },
    orderBy: { signingOrder: "asc" },
  });
  [subjectRef, otherRef] = [first?.subjectRef ?? "", second?.subjectRef ?? ""];
  await arrangeTraces();
}, 60_000);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await shop.close();
});

/** Everything that may hold the person's name or address, and everything of theirs that is open. */
async function arrangeTraces(): Promise<void> {
  const { ctx } = shop.ledger;
  const seen = await mirrorNow(shop, tenant, sent.requestRef, platformRef);
  const about = { ref: sent.requestRef, receiptId: seen };
  scheduled = await anApprovedExtension(shop, tenant, about, inDays(30));
  const wish = {
    approvalId: randomUUID(),
    requestRef: sent.requestRef,
    ...wishOf(inDays(40)),
    reason: `Asked for by ${NAME}.`,
    supersedesOpId: null,
  };
  extension = { wish, opId: (await proposeExtension(ctx, tenant.proposer, wish)).opId };
  const again = sendOf([{ subjectRef, role: "tenant", order: 1 }]);
  proposed = (await proposeSend(ctx, tenant.proposer, again)).opId;
  const said = { ...JSON.parse(eventBody("e1", platformRef, "viewed")), by: EMAIL, name: NAME };
  await deliver("e1", JSON.stringify(said));
  await deliver("e2", `{"not": "an event", "to": ${JSON.stringify(EMAIL.toUpperCase())}}`);
  await deliver("e3", '{"not": "an event", "to": "nobody"}');
  await pause(ctx, admin, {
    scope: { scope: "kind", kind: "void" },
    reason: `${NAME} was called.`,
    reviewAfter: null,
  });
  await revealContact(ctx, officer, { subjectRef, reason: WHY });
  await sealNow(shop.ledger);
  early = await pack();
}

function pageOf(actor: Actor, id: string) {
  const { db, vaultKey } = shop.ledger.ctx;
  const viewer = { accountId: actor.id, role: actor.role, vaultKey, backupDays: 35 };
  return erasurePage(db, tenant.tenantId, viewer, id);
}

test("PV-3 PV-5: an erasure needs a second person, the right reference, and nobody's hold", async () => {
  const { ctx } = shop.ledger;
  const wish = { subjectRef, reason: WHY };
  expect((await refusalOf(askErasure(ctx, tenant.proposer, wish))).code).toBe("not_permitted");
  expect((await refusalOf(askErasure(ctx, admin, wish))).code).toBe("not_permitted");
  const nobody = { ...wish, subjectRef: "s_nobody00000" };
  expect((await refusalOf(askErasure(ctx, officer, nobody))).code).toBe("not_found");
  const id = await asked();
  expect((await refusalOf(askErasure(ctx, officer, wish))).code).toBe("erasure_open");
  const own = await refusalOf(confirmErasure(ctx, officer, { id, typed: subjectRef }));
  expect(own.code).toBe("erasure_same_person");
  const other = await refusalOf(confirmErasure(ctx, admin, { id, typed: otherRef }));
  expect(other.code).toBe("erasure_ref_differs");
  const onCall = await aMember(shop.ledger.owner, tenant.tenantId, "on_call");
  expect((await refusalOf(confirmErasure(ctx, onCall, { id, typed: subjectRef }))).code).toBe(
    "not_permitted",
  );

  const about = { scope: "request", about: sent.requestRef, reason: "A dispute is open." } as const;
  const hold = await setHold(ctx, officer, about);
  expect((await refusalOf(setHold(ctx, admin, about))).code).toBe("hold_exists");
  const held = await refusalOf(confirmErasure(ctx, admin, { id, typed: subjectRef }));
  expect(held).toMatchObject({ code: "erasure_held" });
  expect(held.message).toContain(`request ${sent.requestRef}`);
  expect(await pageOf(admin, id)).toMatchObject({
    state: "asked",
    decidedBy: null,
    mayConfirm: false,
    holds: [{ reason: "A dispute is open." }],
  });
  await liftHold(ctx, admin, { id: hold.id, reason: "The dispute ended." });
  expect(await pageOf(admin, id)).toMatchObject({ mayConfirm: true, holds: [] });
  expect(await pageOf(officer, id)).toMatchObject({
    mayConfirm: false,
    reason: WHY,
    willDestroy: { contacts: 1 },
  });

  await refuseErasure(ctx, admin, { id, reason: "The person withdrew the wish." });
  const late = await refusalOf(confirmErasure(ctx, admin, { id, typed: subjectRef }));
  expect(late.code).toBe("erasure_moved");
  expect(tracesIn(await openedDump(shop.ledger))).toEqual(TRACES);
});

test("PV-3 ID-5 ID-8 SM-6: one confirmation destroys, hands over what is open, closes the keys, and all still verifies", async () => {
  const { ledger } = shop;
  const worker = await shop.worker();
  const [hand] = await claimDueWork(worker, 1);
  expect(hand?.claim.opId).toBe(scheduled);
  const effects = await effectsOf(shop, tenant, {});
  const id = await asked();
  // Of two people at once one confirms.
  const second = await aMember(ledger.owner, tenant.tenantId, "compliance");
  const answers = await Promise.allSettled([
    confirmErasure(ledger.ctx, admin, { id, typed: subjectRef }),
    confirmErasure(ledger.ctx, second, { id, typed: subjectRef }),
  ]);
  const erased = answers.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const refused = answers.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(erased).toHaveLength(1);
  expect(refused).toMatchObject([{ code: "erasure_moved" }]);
  const done = erased[0] as Erased;
  expect(done).toMatchObject({ operations: 3, destroyed: { contacts: 1, bodies: 2 } });
  // The person's own, and the texts of the two requests.
  expect(done.destroyed.keys).toBe(3);

  expect(tracesIn(await dumpOf(ledger))).toEqual([]);
  const opened = await openedDump(ledger);
  expect(tracesIn(opened)).toEqual([]);
  expect(opened).toContain(OTHER.email);
  expect(opened).toContain("nobody");
  const entries = await ledger.owner.controlEvent.findMany({ where: { about: `erasure:${id}` } });
  expect(entries.map(({ kind }) => kind).sort()).toEqual(["erasure_asked", "erasure_confirmed"]);

  // A worker that had it in hand before sends nothing.
  if (hand) await executeClaim(worker, hand);
  await executeDue(worker);
  expect(await effectsOf(shop, tenant, {})).toEqual(effects);
});

test("SM-3 RV-1: what was open is with a person as contact_erased, and only what can still be decided is offered", async () => {
  const { ledger } = shop;
  expect(await operationOf(shop, tenant, scheduled)).toMatchObject({
    state: "needs_review",
    reason: "contact_erased",
    owner: "team:compliance",
  });
  for (const opId of [scheduled, proposed, extension.opId]) {
    const page = await itemPage(ledger, officer, await openItemOf(shop, opId));
    expect([opId, page.item.reason]).toEqual([opId, "contact_erased"]);
  }
  expect((await operationOf(shop, tenant, proposed)).state).toBe("proposed");
  const approving = await refusalOf(approveNow(shop, tenant, proposed, null));
  expect(approving.code).toBe("contact_erased");
  const worker = await shop.worker();
  for (const opId of [proposed, scheduled]) {
    const itemId = await openItemOf(shop, opId);
    const decided = await decideNow(ledger, officer, itemId, "not_needed");
    await settled(ledger, worker, officer, itemId, decided);
    expect(await operationOf(shop, tenant, opId)).toMatchObject({
      state: "obsolete",
      reason: "decided_not_needed",
    });
  }
});

test("ID-8: the keys stay closed, for the same content and for another, and for the people of the same approval", async () => {
  const { ctx } = shop.ledger;
  const repeat = (wish: SendWish) => refusalOf(proposeSend(ctx, tenant.proposer, wish));
  expect((await repeat(sent)).code).toBe("identity_retired");
  expect((await repeat({ ...sent, title: "Another title" })).code).toBe("identity_retired");
  const elsewhere = { ...sent, requestRef: `req_${letters()}` };
  expect((await repeat(elsewhere)).code).toBe("identity_retired");
  const extending = await refusalOf(proposeExtension(ctx, tenant.proposer, extension.wish));
  expect(extending.code).toBe("identity_retired");
  expect((await refusalOf(askErasure(ctx, officer, { subjectRef, reason: WHY }))).code).toBe(
    "erasure_done",
  );
});

test("PV-3 IN-8: what arrives later about the request is applied, and its raw body is not kept", async () => {
  const said = { ...JSON.parse(eventBody("e4", platformRef, "completed")), by: EMAIL };
  await deliver("e4", JSON.stringify(said));
  const event = (await inboxOf(shop, tenant)).at(-1);
  expect(event).toMatchObject({ outcome: "applied", bodySealed: "", purgedAt: expect.any(Date) });
  expect(tracesIn(await openedDump(shop.ledger))).toEqual([]);
});

test("SM-4 SM-6: chains, seals and packs verify afterwards, also the pack that was made before; none holds a contact", async () => {
  const { ledger } = shop;
  await sealNow(ledger);
  expect((await checked(ledger.owner, tenant.tenantId)).findings).toEqual([]);
  for (const bytes of [early, await pack()]) {
    expect(await verifyOffline(bytes)).toMatch(/all fits/i);
    expect(tracesIn(bytes.toString("latin1"))).toEqual([]);
  }
  const { owner, ctx } = ledger;
  const worker = await shop.worker();
  while ((await runChecks({ owner, db: worker.db, log: ctx.log })) > 0);
  const erasure = await owner.erasure.findFirstOrThrow({ where: { state: "confirmed" } });
  expect(await pageOf(officer, erasure.id)).toMatchObject({
    state: "done",
    subjectRef,
    reason: WHY,
    destroyed: { contacts: 1 },
    check: { state: "done", findings: 0 },
    mayConfirm: false,
    willDestroy: null,
  });
});
