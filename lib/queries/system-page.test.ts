import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SystemFact } from "@/lib/domain/system-fact";
import { broughtMigrations } from "@/lib/runtime/brought-migrations";
import { beat, enterWorker } from "@/lib/store/workers";
import { aRequest, aTenant, operationIn } from "@/lib/testing/factories";
import { type TestLedger, testLedger } from "@/lib/testing/tenants";
import { readiness } from "./readiness";
import { type SystemPage, systemPage } from "./system-page";

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await testLedger();
});
afterAll(() => ledger.close());

function factOf(page: SystemPage, label: string): SystemFact {
  const found = page.groups.flatMap(({ facts }) => facts).find((fact) => fact.label === label);
  if (!found) throw new Error(`no figure is called ${label}`);
  return found;
}

test("OP-2 PV-2: a tenant sees its own backlog and nothing of another's, with the limits of the alerts", async () => {
  const [own, foreign] = [await aTenant(ledger.owner), await aTenant(ledger.owner)];
  for (const tenant of [own, foreign, foreign]) {
    const request = await aRequest(ledger.owner, tenant);
    await operationIn(ledger.owner, tenant, request, "needs_reconcile");
  }
  const hours = new Date(Date.now() - 7_200_000);
  await ledger.owner
    .$executeRaw`UPDATE operations SET unknown_since = ${hours} WHERE tenant_id = ${own.id}::uuid`;
  const page = await systemPage(ledger.ctx.db, own.id, "1.0.0");
  const unknown = factOf(page, "Unknown");
  expect(unknown.value).toMatchObject({ kind: "count", count: 1 });
  const oldest = factOf(page, "Oldest unknown");
  expect(oldest.alert).toBe("LedgerUnknownPastBound");
  expect(oldest.path).toBe("/operations?state=needs_reconcile,reconciling");
  const other = await systemPage(ledger.ctx.db, foreign.id, "1.0.0");
  expect(factOf(other, "Oldest unknown").alert).toBeNull();
  expect(page.reads.map(({ connectionId }) => connectionId)).toEqual([own.connectionId]);
});

test("OP-2 CL-6: workers are shown with their heartbeat, what they have in hand and what they measured", async () => {
  const tenant = await aTenant(ledger.owner);
  const enter = async (name: string, silentMs: number, figures: object) => {
    const id = randomUUID();
    const sessionKey = BigInt(Math.floor(Math.random() * 2 ** 50));
    await enterWorker(ledger.owner, { id, name, build: "7.7.7", sessionKey });
    await beat(ledger.owner, id, 3, figures);
    const at = new Date(Date.now() - silentMs);
    await ledger.owner.worker.update({ where: { id }, data: { heartbeatAt: at } });
  };
  await enter("w-alive", 0, { claims: 9, conflicts: 2, claimP95Ms: 20_000, lagMs: 4 });
  await enter("w-dead", 34_000, {});
  const { workers, ...page } = await systemPage(ledger.ctx.db, tenant.id, "1.0.0");
  expect(workers).toMatchObject([
    { name: "w-alive", state: "alive", inHand: 3, lagMs: 4, claimP95Ms: 20_000, build: "7.7.7" },
    { name: "w-dead", state: "dead", lagMs: null, claimP95Ms: null },
  ]);
  const latency = factOf({ workers, ...page }, "Claim latency, 95th percentile");
  expect(latency).toMatchObject({
    value: { kind: "seconds", seconds: 20 },
    alert: "LedgerClaimSlow",
    metric: "deadline_ledger_claim_latency_seconds",
  });
  expect(factOf({ workers, ...page }, "Conflicts").value).toMatchObject({ count: 2 });
});

test("OP-2: a console is ready when every migration of its build is applied, and a later one is no hindrance", async () => {
  const { db } = ledger.ctx;
  expect(await readiness(db, broughtMigrations())).toBe("ready");
  expect(await readiness(db, [])).toBe("ready");
  expect(await readiness(db, [...broughtMigrations(), "9999_not_yet"])).toBe("migrations_missing");
});
