import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Figure, METRICS, type MetricName } from "@/lib/domain/metrics";
import { noticeBacklog, outboxBacklog, reviewBacklog } from "@/lib/store/backlog-figures";
import { connect, type Database, type Db } from "@/lib/store/db";
import { connectionReads, sealAgeSeconds } from "@/lib/store/machine-figures";
import { dueOperations, openOperations, scheduledOperations } from "@/lib/store/operation-figures";
import { Prisma } from "@/lib/store/prisma/client";
import { testDatabase } from "@/lib/testing/database";
import { aRequest, aTenant, operationIn } from "@/lib/testing/factories";
import { inboxFigures } from "./inbox-figures";
import { ledgerFigures } from "./ledger-figures";

let database: { url: string; close(): Promise<void> };
let db: Database;

beforeAll(async () => {
  database = await testDatabase();
  db = connect(database.url, { poolMax: 4 });
});
afterAll(async () => {
  await db.$disconnect();
  await database.close();
});

function shown(
  figures: readonly Figure[],
  metric: MetricName,
  labels: Figure["labels"] = {},
): number | undefined {
  return figures.find(
    (one) =>
      one.metric === metric &&
      Object.entries(labels).every(([name, value]) => one.labels[name] === value),
  )?.value;
}

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);

test("OP-1: backlogs are counted by state and kind, with the age of the oldest of each", async () => {
  const tenant = await aTenant(db);
  const request = () => aRequest(db, tenant);
  const unknown = await operationIn(db, tenant, await request(), "needs_reconcile");
  await db.$executeRaw`UPDATE operations SET unknown_since = ${ago(7_200)} WHERE op_id = ${unknown}::uuid`;
  await operationIn(db, tenant, await request(), "quarantined");
  const due = await operationIn(db, tenant, await request(), "scheduled");
  const later = await operationIn(db, tenant, await request(), "scheduled");
  await operationIn(db, tenant, await request(), "done");
  await db.$executeRaw`UPDATE operations SET due_at = ${ago(600)}, approved_at = ${ago(900)} WHERE op_id = ${due}::uuid`;
  await db.$executeRaw`UPDATE operations SET due_at = 'infinity' WHERE op_id = ${later}::uuid`;
  const figures = await ledgerFigures(db);
  const kind = "extend";
  const count = (state: string) => shown(figures, "deadline_ledger_operations", { state, kind });
  expect(count("needs_reconcile")).toBe(1);
  expect(count("quarantined")).toBe(1);
  expect(count("scheduled")).toBe(2);
  expect(count("done"), "what has ended is history and not counted").toBeUndefined();
  const oldest = { state: "needs_reconcile", kind };
  const age = shown(figures, "deadline_ledger_operations_oldest_seconds", oldest);
  expect(age).toBeGreaterThanOrEqual(7_200);
  expect(shown(figures, "deadline_ledger_operations_due", { kind, held: "no" })).toBe(1);
  expect(shown(figures, "deadline_ledger_due_lag_seconds", { kind })).toBeGreaterThanOrEqual(600);
  expect(shown(figures, "deadline_ledger_review_items_by_reason")).toBe(1);
  expect(shown(figures, "deadline_ledger_seal_age_seconds")).toBeGreaterThan(0);
});

test("OP-1 CL-4: what waits for its own request or is held by a switch is no lag of the workers", async () => {
  const tenant = await aTenant(db);
  const request = await aRequest(db, tenant);
  await operationIn(db, tenant, request, "quarantined");
  const waiting = await operationIn(db, tenant, request, "scheduled");
  await db.$executeRaw`UPDATE operations SET due_at = ${ago(90_000)}, approved_at = ${ago(90_000)}
    WHERE op_id = ${waiting}::uuid`;
  const kind = "extend";
  const before = await ledgerFigures(db);
  expect(shown(before, "deadline_ledger_due_lag_seconds", { kind })).toBeLessThan(90_000);
  await db.$executeRaw`INSERT INTO pauses (tenant_id, id, scope, paused_by, paused_at)
    VALUES (${tenant.id}::uuid, ${randomUUID()}::uuid, 'tenant', 'user:x', ${ago(3_600)})`;
  const after = await ledgerFigures(db);
  expect(shown(after, "deadline_ledger_operations_due", { kind, held: "yes" })).toBe(1);
  expect(shown(after, "deadline_ledger_pauses", { scope: "tenant" })).toBe(1);
  const age = shown(after, "deadline_ledger_pause_oldest_seconds", { scope: "tenant" });
  expect(age).toBeGreaterThanOrEqual(3_600);
});

test("OP-1 PV-4: every figure is a known metric with exactly its labels, and no label names a request", async () => {
  const tenant = await aTenant(db);
  const request = await aRequest(db, tenant);
  await operationIn(db, tenant, request, "needs_review");
  const figures = await ledgerFigures(db);
  expect(figures.length).toBeGreaterThan(10);
  for (const { metric, labels, value } of figures) {
    expect(Object.keys(labels).sort(), metric).toEqual([...METRICS[metric].labels].sort());
    expect(Number.isFinite(value), metric).toBe(true);
  }
  const text = JSON.stringify(figures);
  expect(text).not.toContain(request.ref);
  expect(text).not.toContain(request.platformRef);
});

/** A statement as it would be sent. */
async function sqlOf(run: (db: Db) => Promise<unknown>): Promise<Prisma.Sql> {
  let sent: Prisma.Sql | undefined;
  const spy = {
    $queryRaw: (text: TemplateStringsArray, ...values: unknown[]) => {
      sent = Prisma.sql(text, ...values);
      return Promise.resolve([]);
    },
  } as unknown as Db;
  await run(spy);
  if (!sent) throw new Error("nothing was sent");
  return sent;
}

test("OP-1 C-10: no figure reads a whole table, so that a scrape costs the same after years", async () => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query("SET LOCAL enable_seqscan = off");
    const statements = {
      openOperations,
      scheduledOperations,
      dueOperations,
      reviewBacklog,
      inboxFigures,
      outboxBacklog,
      noticeBacklog,
      connectionReads,
      sealAgeSeconds,
    };
    for (const [name, run] of Object.entries(statements)) {
      const { text, values } = await sqlOf(run);
      const { rows } = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, values);
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      const whole =
        /Seq Scan on (operations|review_items|inbox_events|outbox_\w+|notice\w*|read_receipts|operation_events)/;
      expect(plan, name).not.toMatch(whole);
      expect(plan, name).not.toMatch(/operations_(pkey|op_key_key|by_change|by_request)/);
    }
  } finally {
    await client.end();
  }
});
