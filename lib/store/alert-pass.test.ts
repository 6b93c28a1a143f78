import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CONSEQUENCES, consequenceOf } from "@/lib/domain/consequence";
import type { OperationKind } from "@/lib/domain/operation";
import { breachAt, type ClockFacts, nextAlert, warnAt } from "@/lib/domain/review-clock";
import { instantOf } from "@/lib/domain/zone";
import { oneOf, seeded } from "@/lib/testing/chance";
import { aMember, aTenant, type TestLedger, testLedger } from "@/lib/testing/tenants";
import { keepClocks, raiseAlerts } from "./alert-pass";

const MINUTE = 60_000;
const NOW = "2026-11-30T12:00:00Z";

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await testLedger();
});
afterAll(() => ledger.close());

interface Sample extends ClockFacts {
  readonly id: string;
  readonly level: number;
  readonly dueAt: string;
  readonly escalateAfterMinutes: number | null;
}

const KINDS: readonly (OperationKind | null)[] = ["send", "extend", "void", "remind", null];
const REASONS = ["possible_duplicate", "no_lookup", "event_malformed", "drift_expiry"];

function samples(count: number): Sample[] {
  const chance = seeded(20261130);
  const minutes = (from: number, until: number) =>
    instantOf(Date.parse(NOW) + Math.floor(from + chance() * (until - from)) * MINUTE);
  return Array.from({ length: count }, () => ({
    id: randomUUID(),
    kind: oneOf(chance, KINDS),
    reason: oneOf(chance, REASONS),
    openedAt: minutes(-3_000, 1),
    losesAt: chance() < 0.25 ? null : minutes(-2_000, 20_000),
    level: Math.floor(chance() * 5),
    dueAt: minutes(-100, 100),
    escalateAfterMinutes: oneOf(chance, [null, 5, 45]),
  }));
}

function stepOf(sample: Sample) {
  const { escalateAfterMinutes: after } = sample;
  return nextAlert(sample, after === null ? null : after * MINUTE, NOW);
}

test("RV-1: when more is due than one pass takes, the worst is told of first and the rest stays due", async () => {
  const { tenantId } = await aTenant(ledger.owner);
  const reasons = ["event_malformed", "no_lookup", "possible_duplicate", "no_lookup"];
  await ledger.owner.reviewItem.createMany({
    data: reasons.map((reason) => ({
      tenantId,
      id: randomUUID(),
      reason,
      openedAt: new Date(Date.parse(NOW) - MINUTE),
      owner: "team:on-call",
      evidence: "{}",
    })),
  });
  const raise = (limit: number) =>
    ledger.owner.$transaction(async (tx) => {
      const groups = await raiseAlerts(tx, NOW, limit);
      return groups.map(({ reason, count }) => `${count} ${reason}`).sort();
    });
  expect(await raise(2)).toEqual(["1 no_lookup", "1 possible_duplicate"]);
  expect(await raise(2)).toEqual(["1 event_malformed", "1 no_lookup"]);
  expect(await raise(2)).toEqual([]);
});

test("RV-4: the database and the code agree about consequence, limits and what is due, item by item", async () => {
  const { tenantId } = await aTenant(ledger.owner);
  const { id: createdBy } = await aMember(ledger.owner, tenantId, "admin");
  const rules = new Map([
    [5, randomUUID()],
    [45, randomUUID()],
  ]);
  for (const [escalateAfterMinutes, id] of rules) {
    await ledger.owner.routingRule.create({
      data: { tenantId, id, position: 1, owner: "team:on-call", escalateAfterMinutes, createdBy },
    });
  }
  const all = samples(400);
  await ledger.owner.reviewItem.createMany({
    data: all.map(({ id, kind, reason, openedAt, losesAt, escalateAfterMinutes }) => ({
      tenantId,
      id,
      kind,
      reason,
      openedAt: new Date(openedAt),
      losesAt: losesAt === null ? null : new Date(losesAt),
      owner: "team:on-call",
      evidence: "{}",
      routedBy: escalateAfterMinutes === null ? null : (rules.get(escalateAfterMinutes) ?? null),
    })),
  });
  // The pass before it asked to look now at the latest; only further escalations say when they are due.
  await ledger.owner.$executeRaw`
    UPDATE review_items i SET alert_level = d.level,
      next_alert_at = CASE WHEN d.level > 2 THEN d."dueAt" ELSE ${NOW}::timestamptz END
    FROM json_to_recordset(${JSON.stringify(all)}::json) AS d(id uuid, level smallint, "dueAt" timestamptz)
    WHERE i.tenant_id = ${tenantId}::uuid AND i.id = d.id`;
  await ledger.owner.$transaction(async (tx) => {
    await keepClocks(tx, NOW);
    await raiseAlerts(tx, NOW, 1_000);
  });
  const rows = await ledger.owner.reviewItem.findMany({ where: { tenantId } });
  for (const sample of all) {
    const row = rows.find(({ id }) => id === sample.id);
    const step = stepOf(sample);
    expect({
      sample,
      consequence: CONSEQUENCES[(row?.consequence ?? 0) - 1],
      warnAt: row?.warnAt,
      breachAt: row?.breachAt,
      breached: row?.breached,
      level: row?.alertLevel,
      next: row?.nextAlertAt,
    }).toEqual({
      sample,
      consequence: consequenceOf(sample, NOW),
      warnAt: new Date(warnAt(sample)),
      breachAt: new Date(breachAt(sample)),
      breached: Date.parse(breachAt(sample)) <= Date.parse(NOW),
      level: step.level,
      next: new Date(step.nextAt),
    });
  }
  expect(new Set(all.map((sample) => stepOf(sample).raise)).size).toBe(5);
});
