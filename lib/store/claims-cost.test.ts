import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bulkOperations } from "@/lib/testing/bulk-operations";
import { testDatabase } from "@/lib/testing/database";
import { aTenant, type TestTenant } from "@/lib/testing/factories";
import { sqlOf } from "@/lib/testing/statements";
import { claimDue, claimLooks } from "./claims";
import { connect, type Database, type Db } from "./db";
import { takeLastLooks } from "./last-looks";

// In a database of its own: what other tests leave behind would be counted too.
let database: { url: string; close(): Promise<void> };
let db: Database;
let client: Client;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  db = connect(database.url, { poolMax: 2 });
  client = new Client({ connectionString: database.url });
  await client.connect();
  tenant = await aTenant(db);
});
afterAll(async () => {
  await client.end();
  await db.$disconnect();
  await database.close();
});

interface PlanNode {
  readonly "Subplan Name"?: string;
  readonly "Index Name"?: string;
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** Runs the statement under EXPLAIN and takes it back; returns the parts that choose the rows, the last with all it reads. */
async function choosing(run: (db: Db) => Promise<unknown>, parts: readonly string[] = ["CTE due"]) {
  const { text, values } = await sqlOf(run);
  await client.query("BEGIN");
  // The first runs of a session also read the catalogue and plan what is in functions, which keep their plans from the
  // sixth run on; a claimer's session is an old one.
  for (let run = 0; run < 7; run += 1) {
    await client.query("SAVEPOINT cold");
    await client.query(text, values);
    await client.query("ROLLBACK TO cold");
  }
  const { rows } = await client.query<{ "QUERY PLAN": { Plan: PlanNode }[] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
    values,
  );
  await client.query("ROLLBACK");
  const plan = rows[0]?.["QUERY PLAN"][0]?.Plan;
  const found = (plan ? nodesOf(plan) : []).filter((node) =>
    parts.includes(node["Subplan Name"] ?? ""),
  );
  const due = found.find((node) => node["Subplan Name"] === "CTE due");
  if (!due || found.length < parts.length) throw new Error("the plan lacks a part that chooses");
  const inside = found.flatMap(nodesOf);
  return {
    buffers: due["Shared Hit Blocks"] + due["Shared Read Blocks"],
    indexes: inside.flatMap((node) => node["Index Name"] ?? []),
    removed: inside.reduce((sum, node) => sum + (node["Rows Removed by Filter"] ?? 0), 0),
  };
}

const LOOK_PARTS = ["CTE walk", "CTE candidates", "CTE due"];

test("CL-1 C-10: claims, looks and last looks do not pay for 60,000 finished rows, with or without statistics", async () => {
  // Otherwise the server may gather statistics in the middle of it, and "stale" would be a matter of chance.
  await client.query("ALTER TABLE operations SET (autovacuum_enabled = false)");
  await bulkOperations(client, tenant, {
    count: 60_000,
    state: "obsolete",
    onOneRequest: true,
    columns: { changed_at: "now() - (n % 365) * interval '1 day'" },
  });
  await bulkOperations(client, tenant, { count: 1_000, state: "scheduled" });
  await bulkOperations(client, tenant, {
    count: 500,
    state: "needs_reconcile",
    columns: { next_look_at: "now() - n * interval '1 second'" },
  });
  await bulkOperations(client, tenant, {
    count: 500,
    state: "done",
    columns: { last_look_at: "now() - n * interval '1 second'" },
  });
  const options = { workerId: randomUUID(), workerName: "w1", limit: 10, perTenant: 10 };
  // Settles the lists of the index, so that the runs below, which are taken back, do not do it.
  expect(await claimDue(db, { ...options, limit: 1 })).toHaveLength(1);

  for (const statistics of ["stale", "fresh"]) {
    // What the runs below take back is swept away as well, which the server does by itself otherwise.
    if (statistics === "fresh") await client.query("VACUUM (ANALYZE) operations");
    const work = await choosing((on) => claimDue(on, options));
    expect(work.indexes).toContain("operations_due");
    // One per candidate: among what its request has scheduled it finds itself.
    expect([statistics, work.removed]).toEqual([statistics, 1]);
    expect(work.buffers).toBeLessThan(100);
    const look = await choosing((on) => claimLooks(on, options), LOOK_PARTS);
    expect(look.indexes).toEqual(
      expect.arrayContaining(["operations_next_look", "operations_looks"]),
    );
    expect(look.buffers).toBeLessThan(100);
    const last = await choosing((on) => takeLastLooks(on, 10));
    expect(last.indexes).toContain("operations_last_look");
    expect(last.buffers).toBeLessThan(100);
  }
});
