import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  anAccount,
  aRequest,
  aTenant,
  operationIn,
  type TestTenant,
} from "@/lib/testing/factories";
import { type TestLedger, testLedger } from "@/lib/testing/tenants";
import { reviewListPage } from "./review-list-page";
import { ReviewsQuerySchema } from "./review-list-query";
import type { ReviewViewer } from "./review-rows";

const HOUR = 3_600_000;

let ledger: TestLedger;
let tenant: TestTenant;
let onCall: ReviewViewer;

beforeAll(async () => {
  ledger = await testLedger();
  tenant = await aTenant(ledger.owner);
  onCall = { accountId: await anAccount(ledger.owner, tenant.id, "on_call"), role: "on_call" };
});

afterAll(() => ledger.close());

function list(query: Record<string, string> = {}, viewer = onCall, of = tenant) {
  return reviewListPage(ledger.ctx.db, of.id, viewer, ReviewsQuerySchema.parse(query));
}

test("RV-1: every quarantined or reviewed operation is listed with reason, owner, age and what was seen", async () => {
  const later = await aRequest(ledger.owner, tenant);
  const soon = await aRequest(ledger.owner, tenant, "req_soon", {
    mirrorExpiresAt: new Date(Date.now() + 7 * HOUR),
  });
  await operationIn(ledger.owner, tenant, later, "quarantined", { ageMs: 60_000 });
  const urgent = await operationIn(ledger.owner, tenant, soon, "needs_review", { ageMs: 90_000 });
  const { rows, counts, older } = await list();
  expect(rows.map(({ requestRef }) => requestRef)).toEqual(["req_soon", later.ref]);
  expect(rows[0]).toMatchObject({
    opId: urgent,
    state: "needs_review",
    reason: "reconcile_bound_reached",
    owner: "team:on-call",
    losesClock: "platform",
    consequence: "critical",
    evidence: { reads: 2, lastRead: { outcome: "read", matches: 1 } },
  });
  expect(rows[0]?.evidence.askedExpiresAt).not.toBeNull();
  expect(rows[1]).toMatchObject({ consequence: "high", losesClock: "business" });
  expect({ counts, older }).toMatchObject({ counts: { mine: 2, all: 2, untaken: 2 }, older: null });
});

test("what is mine is what my team or I own", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const owner = `account:${tenant.approverId}`;
  await operationIn(ledger.owner, tenant, request, "quarantined", { owner });
  const approver: ReviewViewer = { accountId: tenant.approverId, role: "account_manager" };
  const mine = await list({ view: "mine" }, approver);
  expect(mine.rows.map((row) => row.owner)).toEqual([owner]);
  expect(mine.counts).toMatchObject({ mine: 1, all: 3, critical: 1 });
});

test("what a decision has settled is no longer listed, and pages meet every item once", async () => {
  const of = await aTenant(ledger.owner);
  const seen: string[] = [];
  for (let count = 0; count < 51; count += 1) {
    await operationIn(ledger.owner, of, await aRequest(ledger.owner, of), "quarantined");
  }
  const first = await list({}, onCall, of);
  const second = await list({ after: first.older ?? "" }, onCall, of);
  for (const { id } of [...first.rows, ...second.rows]) seen.push(id);
  expect([first.rows.length, second.rows.length, new Set(seen).size]).toEqual([50, 1, 51]);
  await ledger.owner.operation.update({
    where: { tenantId_opId: { tenantId: of.id, opId: first.rows[0]?.opId ?? "" } },
    data: {
      state: "obsolete",
      reason: "decided_not_needed",
      eventActor: "user:x",
      eventEvidence: "{}",
    },
  });
  expect((await list({}, onCall, of)).counts.all).toBe(50);
});

test("PV-2: another tenant's items are neither listed nor counted", async () => {
  const other = await aTenant(ledger.owner);
  expect(await list({}, onCall, other)).toMatchObject({ rows: [], counts: { mine: 0, all: 0 } });
});

test("RV-1: what input, a subscriber or a late report says stands in its sentence, without gaps", async () => {
  const of = await aTenant(ledger.owner);
  const inboxId = randomUUID();
  await ledger.owner.inboxEvent.create({
    data: {
      tenantId: of.id,
      id: inboxId,
      connectionId: of.connectionId,
      identity: "evt_1",
      hasEventId: true,
      type: "envelope.archived",
      outcome: "quarantined",
      keyId: "k1",
      bodySealed: "sealed",
      receivedAt: new Date(Date.now() - 2 * HOUR),
    },
  });
  const item = { tenantId: of.id, owner: "team:on-call" };
  const opened = async (reason: string, evidence: object, more: object = {}) =>
    ledger.owner.reviewItem.create({
      data: { ...item, id: randomUUID(), reason, evidence: JSON.stringify(evidence), ...more },
    });
  await opened("event_type_unknown", {}, { inboxId });
  await opened("event_unmatched_too_long", {}, { inboxId });
  await opened("event_apply_failed", { n: 5, code: "x" }, { inboxId });
  const request = await aRequest(ledger.owner, of);
  const read = { old: "expired", new: "completed", observed: "completed" };
  const contradiction = { ...read, moment: "2026-11-30T16:22:07.5+00:00" };
  await opened("contradicting_end", contradiction, { inboxId, requestRef: request.ref });
  const { rows } = await list({}, onCall, of);
  expect(rows.map(({ sentence }) => sentence).sort()).toEqual([
    'Authentic event of an unknown type "envelope.archived".',
    "Could not be applied 5 times.",
    "The platform says Completed, but we hold Expired, both final. A read at 2026-11-30 16:22:07Z says Completed.",
    "Waits 2 h for the send that it belongs to.",
  ]);
});

test("RV-4: a page of 100,000 open items comes from the index of the queue, without a sort", async () => {
  const { id } = await aTenant(ledger.owner);
  const { owner } = ledger;
  await owner.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      await tx.$executeRaw`
        INSERT INTO review_items (tenant_id, id, reason, owner, default_owner, team, evidence, opened_at, loses_at,
          breached)
        SELECT ${id}::uuid, gen_random_uuid(), 'no_lookup', 'team:on-call', 'team:on-call', 'team:on-call', '{}',
          now() - n * interval '1 second', now() + (n * 7 % 90000) * interval '1 minute', n % 10 = 0
        FROM generate_series(1, 100000) n`;
    },
    { timeout: 60_000 },
  );
  await owner.$executeRaw`ANALYZE review_items`;
  const explain = async (rest: string) =>
    (
      await owner.$queryRawUnsafe<{ "QUERY PLAN": string }[]>(
        `EXPLAIN SELECT i.* FROM review_items i WHERE i.tenant_id = '${id}'::uuid AND ${rest}`,
      )
    )
      .map((line) => line["QUERY PLAN"])
      .join("\n");
  const loses = "coalesce(i.loses_at, 'infinity'::timestamptz)";
  const keys = `(NOT i.breached), ${loses}, i.consequence, i.opened_at, i.id`;
  const open = "i.closed_at IS NULL AND i.status NOT IN ('settled', 'snoozed')";
  const behind = `(${keys}) > (true, now(), 3::smallint, now(), '${id}'::uuid)`;
  for (const rest of [open, `${open} AND i.team = 'team:on-call'`, `${open} AND ${behind}`]) {
    const plan = await explain(`${rest} ORDER BY ${keys} LIMIT 51`);
    expect(plan).toContain("review_items_queue");
    expect(plan).not.toMatch(/Sort|Seq Scan/);
  }
  const closed = await explain(
    "i.closed_at IS NOT NULL ORDER BY i.closed_at DESC, i.id DESC LIMIT 51",
  );
  expect(closed).toContain("review_items_closed");
});
