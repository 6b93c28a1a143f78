import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aMember, aTenant, type TestLedger, testLedger } from "@/lib/testing/tenants";
import { membershipIn, membershipsOf, tenantRows } from "./memberships";
import { pulse } from "./pulse";
import { openApiKey } from "./session";

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await testLedger();
});
afterAll(() => ledger.close());

test("PV-1 C-36: a member is one by the database's word of this moment, and only in their own tenant", async () => {
  const { db } = ledger.ctx;
  const [own, foreign] = [await aTenant(ledger.owner), await aTenant(ledger.owner)];
  const { id } = await aMember(ledger.owner, own.tenantId, "compliance");
  expect(await membershipIn(db, id, own.slug)).toMatchObject({
    role: "compliance",
    removed: false,
  });
  expect(await membershipIn(db, id, foreign.slug)).toBeNull();
  expect(await membershipIn(db, id, "nowhere")).toBeNull();
  const key = { tenantId_accountId: { tenantId: own.tenantId, accountId: id } };
  await ledger.owner.membership.update({ where: key, data: { role: "admin" } });
  expect(await membershipIn(db, id, own.slug)).toMatchObject({ role: "admin" });
  await ledger.owner.membership.update({ where: key, data: { removedAt: new Date() } });
  expect(await membershipIn(db, id, own.slug)).toMatchObject({ removed: true });
  expect(await membershipsOf(db, id)).toEqual([]);
  expect(await tenantRows(db, id)).toEqual([]);
});

test("1.3: the pulse tells of a paused connection of its tenant and not of another's", async () => {
  const [own, foreign] = [await aTenant(ledger.owner), await aTenant(ledger.owner)];
  const member = await aMember(ledger.owner, own.tenantId);
  const account = { id: member.id, role: "account_manager" as const };
  for (const { tenantId, connectionId } of [own, foreign]) {
    await ledger.owner.connection.update({
      where: { tenantId_id: { tenantId, id: connectionId } },
      data: { pausedAt: new Date("2026-11-30T15:40:00Z"), pausedReason: `storm of ${tenantId}` },
    });
  }
  const beat = await pulse(ledger.ctx, own.tenantId, account);
  expect(beat.pauses).toEqual([
    {
      id: own.connectionId,
      scope: "connection",
      connection: "sbx-1",
      kind: null,
      by: "the ledger itself",
      since: "2026-11-30T15:40:00.000Z",
      reason: `storm of ${own.tenantId}`,
    },
  ]);
  expect(beat.counts).toMatchObject({ paused: true, live: false, unknown: 0, waitingForMe: 0 });
});

test("RV-4: an open review item past the limit of its consequence is counted as late", async () => {
  const { tenantId } = await aTenant(ledger.owner);
  const member = await aMember(ledger.owner, tenantId, "on_call");
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const item = { tenantId, reason: "possible_duplicate", owner: "team:on-call", evidence: "{}" };
  for (const openedAt of [minutesAgo(5), minutesAgo(20)]) {
    await ledger.owner.reviewItem.create({ data: { ...item, id: randomUUID(), openedAt } });
  }
  const { counts } = await pulse(ledger.ctx, tenantId, { id: member.id, role: "on_call" });
  expect(counts).toMatchObject({ reviewsOpen: 2, reviewsBreached: 1 });
});

test("PV-6: an API key is found by its hash alone, until it is revoked", async () => {
  const { tenantId, slug } = await aTenant(ledger.owner);
  const { id: createdBy } = await aMember(ledger.owner, tenantId, "admin");
  const keyHash = "a".repeat(64);
  const id = randomUUID();
  await ledger.owner.$executeRaw`
    INSERT INTO api_keys (tenant_id, id, name, key_hash, scopes, created_by)
    VALUES (${tenantId}::uuid, ${id}::uuid, 'bot', ${keyHash}, ARRAY['read'], ${createdBy}::uuid)`;
  const found = await openApiKey(ledger.ctx.db, keyHash);
  expect(found).toMatchObject({ id, scopes: ["read"], tenant: { id: tenantId, slug } });
  expect(await openApiKey(ledger.ctx.db, "b".repeat(64))).toBeNull();
  await ledger.owner.$executeRaw`UPDATE api_keys SET revoked_at = now() WHERE id = ${id}::uuid`;
  expect(await openApiKey(ledger.ctx.db, keyHash)).toBeNull();
});
