import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_BOUNDS } from "@/lib/domain/bounds";
import { ALERT_LIMITS } from "@/lib/domain/system-fact";
import { ledgerFigures } from "@/lib/queries/ledger-figures";
import { connect, type Database } from "@/lib/store/db";
import {
  anAccount,
  aRequest,
  aTenant,
  operationIn,
  type TestTenant,
} from "@/lib/testing/factories";
import { type TestLedger, testLedger } from "@/lib/testing/tenants";
import { endSettledMatters } from "./end-settled-matters";
import { tellUnknown } from "./tell-unknown";

let ledger: TestLedger;
let tenant: TestTenant;

beforeAll(async () => {
  ledger = await testLedger();
});
afterAll(() => ledger.close());

/** Works with a database whose clock is so many minutes ahead. */
async function at<T>(minutes: number, work: (owner: Database) => Promise<T>): Promise<T> {
  const url = new URL(ledger.url);
  url.searchParams.set("options", `-c deadline.clock_offset=${minutes}min`);
  const owner = connect(url.href, { poolMax: 2 });
  try {
    return await work(owner);
  } finally {
    await owner.$disconnect();
  }
}

const toldAt = (minutes: number) =>
  at(minutes, (owner) => tellUnknown({ owner, bounds: DEFAULT_BOUNDS }));

/** A tenant with so many operations that have just become unknown. */
async function unknown(count: number, roles: readonly string[]): Promise<string[]> {
  tenant = await aTenant(ledger.owner);
  for (const role of roles) await anAccount(ledger.owner, tenant.id, role);
  const opIds: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const request = await aRequest(ledger.owner, tenant);
    opIds.push(await operationIn(ledger.owner, tenant, request, "needs_reconcile"));
  }
  return opIds;
}

function notices() {
  return ledger.owner.notice.findMany({
    where: { tenantId: tenant.id },
    orderBy: { openedAt: "asc" },
    select: { kind: true, audience: true, count: true, path: true, reason: true },
  });
}

async function stateOf(opId: string): Promise<string> {
  const where = { tenantId_opId: { tenantId: tenant.id, opId } };
  return (await ledger.owner.operation.findUniqueOrThrow({ where })).state;
}

test("RC-4: past its age an unknown operation is told of once, as one matter, and stays with the looks", async () => {
  const opIds = await unknown(3, ["on_call", "admin"]);
  expect(await toldAt(14)).toBe(0);
  expect(await notices()).toEqual([]);
  expect(await toldAt(16)).toBe(3);
  expect(await toldAt(16)).toBe(0);
  expect(await toldAt(300)).toBe(0);
  const reason = "unknown_past_age";
  const path = "/operations?state=needs_reconcile";
  expect(await notices()).toEqual([
    { kind: reason, audience: "team:on-call", count: 3, path, reason },
  ]);
  for (const opId of opIds) expect(await stateOf(opId)).toBe("needs_reconcile");
});

test("RC-4 OB-2: the matter is over when none of them is unknown any more, and what becomes unknown again is told again", async () => {
  const [opId = ""] = await unknown(1, ["on_call"]);
  await toldAt(16);
  await endSettledMatters({ owner: ledger.owner } as never);
  const open = () => ledger.owner.notice.count({ where: { tenantId: tenant.id, closedAt: null } });
  expect(await open()).toBe(1);
  const move = (sql: string) =>
    ledger.owner.$executeRawUnsafe(
      `UPDATE operations SET ${sql}, event_actor = 'worker:test' WHERE op_id = '${opId}'`,
    );
  await move(`state = 'reconciling', fence = fence + 1, next_look_at = NULL,
    lease_owner = '${randomUUID()}', lease_until = ledger_now() + interval '1 minute'`);
  await move(`state = 'scheduled', reason = 'absence_proven', due_at = ledger_now(), unknown_since = NULL,
    lease_owner = NULL, lease_until = NULL`);
  await endSettledMatters({ owner: ledger.owner } as never);
  expect(await open()).toBe(0);
  expect((await notices())[0]?.path).toBe(`/operations/${opId}`);
});

test("RC-4: where nobody is on call the admins are told", async () => {
  await unknown(1, ["admin"]);
  expect(await toldAt(16)).toBe(1);
  expect((await notices()).map(({ audience }) => audience)).toEqual(["team:admins"]);
});

test("RC-4 OP-1: the alerts fire at the age and at the bound, by the figures that Prometheus reads", async () => {
  await unknown(1, ["on_call"]);
  const oldest = (minutes: number) =>
    at(minutes, async (owner) => {
      const figures = await ledgerFigures(owner);
      const ages = figures
        .filter(({ metric }) => metric === "deadline_ledger_operations_oldest_seconds")
        .filter(({ labels }) => labels.state === "needs_reconcile")
        .map(({ value }) => value);
      return Math.max(...ages);
    });
  const { unknownToldAfterMs, unknownAgeMaxMs } = DEFAULT_BOUNDS;
  expect(ALERT_LIMITS.LedgerUnknownPastAge).toBe(unknownToldAfterMs / 1_000);
  expect(ALERT_LIMITS.LedgerUnknownPastBound).toBe(unknownAgeMaxMs / 1_000);
  expect(await oldest(16)).toBeGreaterThan(ALERT_LIMITS.LedgerUnknownPastAge);
  expect(await oldest(61)).toBeGreaterThan(ALERT_LIMITS.LedgerUnknownPastBound);
});
