import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asTenant } from "@/lib/store/db";
import { resolveContact, storeContact } from "@/lib/store/vault";
import { refusalOf } from "@/lib/testing/refusals";
import {
  aMember,
  aRequest,
  aTenant,
  letters,
  type TestLedger,
  type TestTenant,
  testLedger,
} from "@/lib/testing/tenants";
import { approve } from "./approve";
import type { Actor } from "./context";
import { orderRead, readOrder } from "./order-read";
import { proposeSend, type SendWish } from "./propose-send";
import { revealContact } from "./reveal-contact";

let ledger: TestLedger;
let tenant: TestTenant;
let proposer: Actor;

beforeAll(async () => {
  ledger = await testLedger();
  tenant = await aTenant(ledger.owner);
  proposer = await aMember(ledger.owner, tenant.tenantId);
});
afterAll(() => ledger.close());

const PAT = { name: "Pat Canary-Lark", email: "pat.canary.4471@example.com" };
const ROBIN = { name: "Robin Sample", email: "robin@example.org" };

function aWish(more: Partial<SendWish> = {}): SendWish {
  return {
    approvalId: randomUUID(),
    requestRef: `req_${letters()}`,
    connectionId: tenant.connectionId,
    documents: [{ digest: "d".repeat(64), version: 1 }],
    signers: [
      { ...PAT, role: "tenant", order: 1 },
      { ...ROBIN, role: "landlord", order: 2 },
    ],
    title: "Lease Canary-Title 12",
    message: "Please sign, Canary-Message.",
    date: "2027-06-30",
    time: "17:00",
    zone: "Europe/Berlin",
    reminders: { owner: "platform" },
    ...more,
  };
}

function operationsOf(ref: string) {
  return ledger.owner.operation.findMany({ where: { requestRef: ref } });
}

test("ID-4 ID-5 PV-4: a send binds people and texts by digest, and no table but the vault holds them, sealed", async () => {
  const wish = aWish();
  const proposed = await proposeSend(ledger.ctx, proposer, wish);
  expect(proposed).toMatchObject({ state: "proposed", version: 1, duplicate: false });
  const [row] = await operationsOf(wish.requestRef);
  expect(row).toMatchObject({ kind: "send", opKey: `${wish.requestRef}/send/1` });
  const payload = JSON.parse(row?.canonicalText ?? "") as {
    signers: { subject_ref: string; contact_digest: string }[];
    title: object;
  };
  expect(payload).toMatchObject({
    expires_at: "2027-06-30T15:00:00Z",
    documents: [{ digest: "d".repeat(64), version: 1 }],
    signers: [{ role: "tenant" }, { role: "landlord" }],
    title: { ref: expect.any(String), digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  const tables = await ledger.owner.$queryRaw<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`;
  for (const { name } of tables) {
    const [found] = await ledger.owner.$queryRawUnsafe<{ hits: number }[]>(
      `SELECT count(*)::int AS hits FROM "${name}" t WHERE t::text ILIKE '%canary%' OR t::text ILIKE '%robin@%'`,
    );
    expect([name, found?.hits]).toEqual([name, 0]);
  }
  const first = payload.signers[0];
  const read = await asTenant(ledger.ctx.db, tenant.tenantId, (tx) =>
    resolveContact(
      tx,
      { tenantId: tenant.tenantId, vaultKey: ledger.ctx.vaultKey },
      first?.subject_ref ?? "",
      "test",
      "system:test",
    ),
  );
  expect(read).toEqual({ contact: PAT, digest: first?.contact_digest });
});

test("ID-6 AP-4: the same send twenty times at once is one request, one operation and one set of people", async () => {
  const wish = aWish();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => proposeSend(ledger.ctx, proposer, wish)),
  );
  expect(new Set(answers.map(({ opId }) => opId)).size).toBe(1);
  expect(answers.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
  expect(await operationsOf(wish.requestRef)).toHaveLength(1);
  expect(await ledger.owner.requestSigner.count({ where: { requestRef: wish.requestRef } })).toBe(
    2,
  );
});

test("ID-6: the same send with another person, title or date is refused by field, and the vault is as before", async () => {
  const wish = aWish();
  await proposeSend(ledger.ctx, proposer, wish);
  const entries = await ledger.owner.vaultEntry.count();
  const changes: [Partial<SendWish>, string][] = [
    [
      { signers: [wish.signers[0], { ...PAT, role: "landlord", order: 2 }] as never },
      "signers.1.contact_digest",
    ],
    [{ title: "Another title" }, "title.digest"],
    [{ date: "2027-07-01" }, "expires_at"],
  ];
  for (const [change, field] of changes) {
    const refusal = await refusalOf(proposeSend(ledger.ctx, proposer, { ...wish, ...change }));
    expect(refusal.code).toBe("key_reused");
    expect(refusal.extensions.differing).toContain(field);
  }
  expect(await ledger.owner.vaultEntry.count()).toBe(entries);
});

test("ID-5: a repeated send does not put its old contact details over newer ones", async () => {
  const wish = aWish();
  await proposeSend(ledger.ctx, proposer, wish);
  const signer = await ledger.owner.requestSigner.findFirstOrThrow({
    where: { requestRef: wish.requestRef, signingOrder: 1 },
  });
  const scope = { tenantId: tenant.tenantId, vaultKey: ledger.ctx.vaultKey };
  const moved = { ...PAT, email: "moved@example.com" };
  await asTenant(ledger.ctx.db, tenant.tenantId, (tx) =>
    storeContact(tx, scope, signer.subjectRef, moved),
  );
  expect(await proposeSend(ledger.ctx, proposer, wish)).toMatchObject({ duplicate: true });
  const read = await asTenant(ledger.ctx.db, tenant.tenantId, (tx) =>
    resolveContact(tx, scope, signer.subjectRef, "test", "system:test"),
  );
  expect(read?.contact).toEqual(moved);
  expect(read?.digest).not.toBe(signer.contactDigest);
});

test("ID-1 CL-4: a send needs a free reference, a connection and people of its own tenant, and a later date", async () => {
  const other = await aTenant(ledger.owner);
  const existing = await aRequest(ledger.owner, tenant);
  const stranger = { subjectRef: "s_nobodynobody", role: "tenant", order: 1 };
  const tries: [Partial<SendWish>, string][] = [
    [{ requestRef: existing.ref }, "fields_unusable"],
    [{ connectionId: other.connectionId }, "not_found"],
    [{ signers: [stranger] }, "fields_unusable"],
    [{ approvalId: "mine" }, "fields_unusable"],
    [{ date: "2020-01-01" }, "deadline_in_past"],
  ];
  for (const [change, code] of tries) {
    const wish = aWish(change);
    expect((await refusalOf(proposeSend(ledger.ctx, proposer, wish))).code).toBe(code);
    if (!change.requestRef) {
      expect(await ledger.owner.request.count({ where: { ref: wish.requestRef } })).toBe(0);
    }
  }
});

test("AP-1: an approved send becomes due and its request gets the deadline", async () => {
  const wish = aWish();
  const { opId } = await proposeSend(ledger.ctx, proposer, wish);
  const [row] = await operationsOf(wish.requestRef);
  const approver = await aMember(ledger.owner, tenant.tenantId);
  const shown = { opId, version: 1, hash: row?.payloadHash ?? "", receiptId: null };
  expect(await approve(ledger.ctx, approver, shown)).toMatchObject({ state: "scheduled" });
  const request = await ledger.owner.request.findFirstOrThrow({ where: { ref: wish.requestRef } });
  expect(request.businessDeadlineAt?.toISOString()).toBe("2027-06-30T15:00:00.000Z");
});

test("PV-3: a reveal needs the right and, by role, a reason; it is recorded with a reference to the reason", async () => {
  const wish = aWish();
  await proposeSend(ledger.ctx, proposer, wish);
  const { subjectRef } = await ledger.owner.requestSigner.findFirstOrThrow({
    where: { requestRef: wish.requestRef, signingOrder: 1 },
  });
  const engineer = await aMember(ledger.owner, tenant.tenantId, "on_call");
  const admin = await aMember(ledger.owner, tenant.tenantId, "admin");
  const reveal = (actor: Actor, reason?: string) =>
    revealContact(ledger.ctx, actor, { subjectRef, reason: reason ?? null });
  expect(await refusalOf(reveal(engineer))).toMatchObject({ code: "reason_empty" });
  expect(await refusalOf(reveal(admin, "Curious about it."))).toMatchObject({
    code: "not_permitted",
  });
  expect(await reveal(proposer)).toEqual(PAT);
  expect(await reveal(engineer, "Signer called support.")).toEqual(PAT);
  const reads = await ledger.owner.vaultRead.findMany({
    where: { subjectRef },
    orderBy: { at: "asc" },
  });
  expect(reads).toMatchObject([
    { actor: `user:${proposer.id}`, purpose: "reveal" },
    { actor: `user:${engineer.id}`, purpose: expect.stringMatching(/^reveal:[0-9a-f-]{36}$/) },
  ]);
  const stranger = await aMember(ledger.owner, (await aTenant(ledger.owner)).tenantId);
  for (const [actor, ref] of [
    [stranger, subjectRef],
    [proposer, "s_nobodynobody"],
    [proposer, "x"],
  ] as const) {
    const refused = await refusalOf(revealContact(ledger.ctx, actor, { subjectRef: ref }));
    expect(refused.code).toBe("not_found");
  }
});

test("PL-1: an ordered read waits for a worker, is shared while nobody took it, and shows its receipt", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const orderId = await orderRead(ledger.ctx, proposer, request.ref);
  expect(await orderRead(ledger.ctx, proposer, request.ref)).toBe(orderId);
  expect(await readOrder(ledger.ctx, proposer, orderId)).toMatchObject({
    requestRef: request.ref,
    takenAt: null,
    receiptId: null,
    outcome: null,
  });
  await ledger.owner.readOrder.updateMany({
    where: { id: orderId },
    data: { takenAt: new Date(), receiptId: request.receiptId },
  });
  expect(await readOrder(ledger.ctx, proposer, orderId)).toMatchObject({
    receiptId: request.receiptId,
    outcome: "read",
  });
  expect(await orderRead(ledger.ctx, proposer, request.ref)).not.toBe(orderId);
  const stranger = await aMember(ledger.owner, (await aTenant(ledger.owner)).tenantId);
  for (const work of [
    () => readOrder(ledger.ctx, stranger, orderId),
    () => orderRead(ledger.ctx, stranger, request.ref),
  ]) {
    expect(await refusalOf(work())).toMatchObject({ code: "not_found" });
  }
});
