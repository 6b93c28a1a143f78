import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_RULES } from "@/lib/domain/retention";
import { retentionPage } from "@/lib/queries/retention-page";
import { clockAhead, executeDue } from "@/lib/testing/decisions";
import { eventBody, inboxOf, receivePatiently, signedDelivery } from "@/lib/testing/deliveries";
import { checked, sealNow, tamper } from "@/lib/testing/history";
import { refusalOf } from "@/lib/testing/refusals";
import { aMember, letters } from "@/lib/testing/tenants";
import { openedDump } from "@/lib/testing/whole-database";
import {
  approveNow,
  inDays,
  openWorkshop,
  operationOf,
  type ShopTenant,
  type Workshop,
  wishOf,
} from "@/lib/testing/workshop";
import { askPack } from "./ask-pack";
import type { Actor } from "./context";
import { liftHold } from "./lift-hold";
import { makePacks } from "./make-packs";
import { proposeSend, type SendWish } from "./propose-send";
import { runRetention } from "./run-retention";
import { saveRetention } from "./save-retention";
import { setHold } from "./set-hold";
import { takePackFile } from "./take-pack";

const DAY_S = 86_400;

let shop: Workshop;
let tenant: ShopTenant;
let officer: Actor;

interface Sent {
  readonly wish: SendWish;
  readonly opId: string;
  readonly subjectRef: string;
}

beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.close());

/** A request that was sent and has ended: nothing about it is open. */
async function anEndedRequest(email: string): Promise<Sent> {
  const { ctx, owner } = shop.ledger;
  const wish: SendWish = {
    approvalId: randomUUID(),
    requestRef: `req_${letters()}`,
    connectionId: tenant.connectionId,
    documents: [{ digest: "d".repeat(64), version: 1 }],
    signers: [{ name: "Kept Person", email, role: "tenant", order: 1 }],
    title: `Lease of ${email.split("@")[0]}`,
    ...wishOf(inDays(20)),
    reminders: { owner: "application", intervalDays: null },
  };
  const { opId } = await proposeSend(ctx, tenant.proposer, wish);
  await approveNow(shop, tenant, opId, null);
  await executeDue(await shop.worker());
  const { platformRef } = await operationOf(shop, tenant, opId);
  const body = eventBody(`e_${wish.requestRef}`, platformRef ?? "", "viewed");
  await receivePatiently(ctx, signedDelivery(tenant, `d_${wish.requestRef}`, body));
  await owner.request.update({
    where: { tenantId_ref: { tenantId: tenant.tenantId, ref: wish.requestRef } },
    data: { mirrorStatus: "declined", mirrorTerminal: true },
  });
  const signer = await owner.requestSigner.findFirstOrThrow({
    where: { tenantId: tenant.tenantId, requestRef: wish.requestRef },
  });
  return { wish, opId, subjectRef: signer.subjectRef };
}

async function aTurn(): Promise<void> {
  const { tenantId } = tenant;
  const due = { nextRunAt: new Date(0) };
  await shop.ledger.owner.retentionTurn.upsert({
    where: { tenantId },
    create: { tenantId, ...due },
    update: due,
  });
}

async function runsOf(): Promise<readonly Record<string, unknown>[]> {
  const where = { tenantId: tenant.tenantId, kind: "retention_run" };
  const rows = await shop.ledger.owner.controlEvent.findMany({ where, orderBy: { at: "asc" } });
  return rows.map(({ body }) => JSON.parse(body));
}

test("PV-5 ID-8: what is over its time goes, held records stay, chains verify, the key is refused, and each run is an entry", async () => {
  tenant = await shop.tenant("exact");
  const { ledger } = shop;
  const { owner, ctx } = ledger;
  const { tenantId } = tenant;
  officer = await aMember(owner, tenantId, "compliance");
  const gone = await anEndedRequest("gone@quill.invalid");
  const held = await anEndedRequest("held@quill.invalid");
  await receivePatiently(ctx, signedDelivery(tenant, "bad", '{"not": "an event"}'));
  const hold = await setHold(ctx, officer, {
    scope: "subject",
    about: held.subjectRef,
    reason: "A dispute is open.",
  });
  const scope = { kind: "request", ref: gone.wish.requestRef } as const;
  const { id: packId } = await askPack(ctx, officer, scope);
  const worker = await shop.worker();
  while ((await makePacks({ owner, db: worker.db, log: ctx.log })) > 0);
  await sealNow(ledger);

  const later = await clockAhead(shop, (DEFAULT_RULES.ledger.days + 30) * DAY_S);
  try {
    // Nobody's turn before it is one; then one run, and it is over for a day.
    await aTurn();
    expect(await runRetention(later.worker)).toBe(1);
    expect(await runRetention(later.worker)).toBe(0);
    const bodies = (await inboxOf(shop, tenant)).map(({ bodySealed }) => bodySealed !== "");
    expect(bodies).toEqual([false, true, false]);
    const opened = await openedDump(ledger);
    expect(opened).not.toContain("gone@quill.invalid");
    expect(opened).toContain("held@quill.invalid");
    expect((await operationOf(shop, tenant, gone.opId)).canonicalText).toBe("{}");
    expect((await operationOf(shop, tenant, held.opId)).canonicalText).toContain(held.subjectRef);
    expect((await refusalOf(takePackFile(ctx, officer, packId))).code).toBe("pack_removed");
    expect(await runsOf()).toMatchObject([
      {
        removed: { inbox: 1, quarantine: 1, vault: 1, ledger: 1, archive: 1 },
        held: 3,
      },
    ]);

    // Hash and history of what went are there and fit; a payload that went otherwise is found.
    expect((await checked(owner, tenantId)).findings).toEqual([]);
    const retired = await refusalOf(proposeSend(ctx, tenant.proposer, gone.wish));
    expect(retired.code).toBe("identity_retired");
    await tamper(
      owner,
      "UPDATE operations SET canonical_text = '{}' WHERE op_id = $1::uuid",
      held.opId,
    );
    await tamper(
      owner,
      "UPDATE operation_versions SET canonical_text = '{}' WHERE op_id = $1::uuid",
      held.opId,
    );
    const { opKey, payloadHash } = await operationOf(shop, tenant, held.opId);
    await owner.operationTombstone.create({
      data: { tenantId, opKey, opId: held.opId, payloadHash, why: "retention" },
    });
    expect((await checked(owner, tenantId)).findings).toMatchObject([{ opId: held.opId }]);

    await liftHold(ctx, officer, { id: hold.id, reason: "The dispute ended." });
    await aTurn();
    expect(await runRetention(later.worker)).toBe(1);
    expect(await openedDump(ledger)).not.toContain("held@quill.invalid");
    expect((await runsOf()).at(-1)).toMatchObject({ removed: { inbox: 1, vault: 1 }, held: 0 });
  } finally {
    await later.close();
  }
}, 60_000);

test("PV-5: a rule has an owner who is there and days that are allowed, by versions, and holds from the next run on", async () => {
  tenant = await shop.tenant("exact");
  const { ctx, owner } = shop.ledger;
  officer = await aMember(owner, tenant.tenantId, "compliance");
  const wish = { recordClass: "inbox", days: 7, owner: "team:compliance", seen: 0 } as const;
  const refused = (change: object, by = officer) =>
    refusalOf(saveRetention(ctx, by, { ...wish, ...change }));
  expect((await refused({}, tenant.proposer)).code).toBe("not_permitted");
  expect((await refused({ owner: "" })).fields).toMatchObject([{ path: "owner" }]);
  expect((await refused({ owner: `account:${randomUUID()}` })).code).toBe("fields_unusable");
  expect((await refused({ days: 0 })).fields).toMatchObject([{ path: "days" }]);
  expect((await refused({ recordClass: "ledger", days: 30 })).fields).toMatchObject([
    { path: "days" },
  ]);
  expect(await saveRetention(ctx, officer, wish)).toEqual({ version: 1 });
  expect((await refused({ days: 8 })).code).toBe("retention_changed");
  expect(await saveRetention(ctx, officer, { ...wish, seen: 1 })).toEqual({ version: 1 });

  await receivePatiently(ctx, signedDelivery(tenant, "bad", '{"not": "an event"}'));
  await saveRetention(ctx, officer, { ...wish, recordClass: "quarantine", days: 2 });
  const later = await clockAhead(shop, 3 * DAY_S);
  try {
    const viewer = { accountId: officer.id, vaultKey: ctx.vaultKey };
    const page = await retentionPage(later.ctx.db, tenant.tenantId, viewer);
    const rules = page.rules.map(({ recordClass, days, version, due }) => [
      recordClass,
      days,
      version,
      due,
    ]);
    expect(rules.filter(([name]) => name === "inbox" || name === "quarantine")).toEqual([
      ["inbox", 7, 1, 0],
      ["quarantine", 2, 1, 1],
    ]);
    await aTurn();
    expect(await runRetention(later.worker)).toBe(1);
    const [run] = (await retentionPage(later.ctx.db, tenant.tenantId, viewer)).runs;
    expect(run).toMatchObject({ removed: { quarantine: 1, inbox: 0 }, held: 0 });
  } finally {
    await later.close();
  }
});
