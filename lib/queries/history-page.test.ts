import { afterAll, beforeAll, expect, test } from "vitest";
import { pause } from "@/lib/flows/pause";
import { waitUntil } from "@/lib/testing/processes";
import { aMember } from "@/lib/testing/tenants";
import {
  anApprovedExtension,
  aRealRequest,
  inDays,
  oneRound,
  openWorkshop,
  operationOf,
  type ShopTenant,
  type Workshop,
} from "@/lib/testing/workshop";
import { historyPage } from "./history-page";
import { HistoryQuerySchema } from "./history-query";
import type { HistoryRow } from "./history-row";

let shop: Workshop;
let tenant: ShopTenant;
let opId: string;

beforeAll(async () => {
  shop = await openWorkshop();
  tenant = await shop.tenant("exact");
  const request = await aRealRequest(shop, tenant, inDays(3));
  opId = await anApprovedExtension(shop, tenant, request, inDays(10));
  const worker = await shop.worker();
  await waitUntil(
    async () => {
      await oneRound(worker);
      return (await operationOf(shop, tenant, opId)).state === "done";
    },
    { timeoutMs: 20_000, what: "the extension is done" },
  );
});
afterAll(() => shop.close());

const listOf = (query: Record<string, string>, of = tenant) =>
  historyPage(
    shop.ledger.ctx.db,
    of.tenantId,
    { accountId: of.approver.id, mayProve: true },
    HistoryQuerySchema.parse(query),
  );

test("SM-6: the extensions that one account approved are found, with the platform's state before and after", async () => {
  const who = `user:${tenant.approver.id}`;
  const { rows } = await listOf({ who, action: "approved", kind: "extend" });
  expect(rows).toMatchObject([
    {
      who: { you: true },
      action: "approved",
      operation: { opId, from: "proposed", to: "scheduled", version: 1 },
    },
  ]);
  const { before, after, hash, previousHash } = rows[0]?.operation ?? {};
  expect(before?.expiresAt).not.toBeNull();
  expect(Date.parse(after?.expiresAt ?? "")).toBeGreaterThan(Date.parse(before?.expiresAt ?? ""));
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(previousHash).toMatch(/^[0-9a-f]{64}$/);
  const past = { who, action: "approved", to: "2026-01-01" };
  expect((await listOf(past)).rows).toEqual([]);
  expect((await listOf({ who: `user:${tenant.proposer.id}`, action: "approved" })).rows).toEqual(
    [],
  );
});

test("SM-3: what operators did stands in the same list, and every entry is met once in either direction", async () => {
  const onCall = await aMember(shop.ledger.owner, tenant.tenantId, "on_call");
  await pause(shop.ledger.ctx, onCall, {
    scope: { scope: "kind", kind: "void" },
    reason: "A drill of the pause.",
    reviewAfter: null,
  });
  await shop.ledger.owner.session.create({
    data: {
      id: "0b7c9c1e-4f0e-4c59-9d4a-0f6f6b1c2d3e",
      accountId: onCall.id,
      expiresAt: new Date(Date.now() + 3_600_000),
    },
  });
  const operators = await listOf({ source: "operators", who: `user:${onCall.id}` });
  expect(operators.rows.map(({ action }) => action).sort()).toEqual(["paused", "signed_in"]);

  const many = await shop.ledger.owner.$executeRaw`
    INSERT INTO control_events (tenant_id, id, kind, about, actor, body, at)
    SELECT ${tenant.tenantId}::uuid, gen_random_uuid(), 'limits_changed', 'tenant:limits', ${`user:${onCall.id}`}, '{}',
      now() - (n / 3) * interval '1 second' FROM generate_series(1, 120) n`;
  const forwards = await walk("older");
  expect(new Set(forwards.map(({ id }) => id)).size).toBe(forwards.length);
  expect(forwards.filter(({ action }) => action === "limits_changed")).toHaveLength(many);
  expect(forwards.some(({ operation }) => operation?.opId === opId)).toBe(true);
  const times = forwards.map(({ at }) => Date.parse(at));
  expect(times).toEqual([...times].sort((a, b) => b - a));
  expect((await walk("newer")).map(({ id }) => id)).toEqual(forwards.map(({ id }) => id));
});

/** Every row from the first page to the last, or from the last page back to the first. */
async function walk(way: "older" | "newer"): Promise<HistoryRow[]> {
  const pages: (readonly HistoryRow[])[] = [];
  let page = await listOf({});
  let last = page;
  const forwards = [page.rows];
  while (last.older !== null) {
    last = await listOf({ after: last.older });
    forwards.push(last.rows);
  }
  if (way === "older") return forwards.flat();
  page = last;
  pages.unshift(page.rows);
  while (page.newer !== null) {
    page = await listOf({ before: page.newer });
    pages.unshift(page.rows);
  }
  return pages.flat();
}

test("PV-2: another tenant's history shows nothing of it", async () => {
  const other = await shop.tenant("exact");
  const { rows, members } = await listOf({}, other);
  expect(rows.some(({ operation }) => operation?.opId === opId)).toBe(false);
  expect(members.map(({ name }) => name)).not.toContain(`user:${tenant.approver.id}`);
  expect((await listOf({ op: opId }, other)).rows).toEqual([]);
});
