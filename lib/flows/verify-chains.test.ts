import { execFile } from "node:child_process";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connect, type Database } from "@/lib/store/db";
import { testDatabase } from "@/lib/testing/database";
import {
  aRequest,
  aTenant,
  operationIn,
  type TestRequest,
  type TestTenant,
} from "@/lib/testing/factories";
import { checked, rehash, sealNow, tamper } from "@/lib/testing/history";
import { type TestLedger, testLedger } from "@/lib/testing/tenants";
import { projectRoot } from "@/workers/launch/root";

let ledger: TestLedger;
let tenant: TestTenant;
let request: TestRequest;
/** Sealed, with five entries. */
let opId: string;

beforeAll(async () => {
  ledger = await testLedger();
});
afterAll(() => ledger.close());
beforeEach(async () => {
  tenant = await aTenant(ledger.owner);
  request = await aRequest(ledger.owner, tenant);
  await operationIn(ledger.owner, tenant, request, "done");
  opId = await operationIn(ledger.owner, tenant, request, "done");
  await sealNow(ledger);
});

const owned = (sql: string, ...values: readonly unknown[]) =>
  tamper(ledger.owner, sql, opId, ...values);
const findings = async () => (await checked(ledger.owner, tenant.id)).findings;

describe("SM-4: nothing is found in what nobody touched", () => {
  test("and everything is counted; a further entry is under the next seal", async () => {
    expect(await checked(ledger.owner, tenant.id)).toEqual({
      chains: 2,
      entries: 10,
      seals: 1,
      findings: [],
    });
    await operationIn(ledger.owner, tenant, request, "proposed");
    expect((await checked(ledger.owner, tenant.id)).findings).toEqual([]);
    expect(await sealNow(ledger)).toBe(1);
    expect(await sealNow(ledger)).toBe(0);
    expect(await checked(ledger.owner, tenant.id)).toMatchObject({ seals: 2, findings: [] });
    const seals = await ledger.owner.seal.findMany({
      where: { tenantId: tenant.id },
      orderBy: { seq: "asc" },
      select: { leaves: true, chains: true, entries: true },
    });
    expect(seals).toEqual([
      { leaves: 2, chains: 2n, entries: 10n },
      { leaves: 1, chains: 3n, entries: 11n },
    ]);
  });

  test("and seals that take only some chains at a time cover all in turn", async () => {
    for (let more = 0; more < 5; more += 1) {
      await operationIn(ledger.owner, tenant, request, "obsolete");
    }
    expect(await sealNow(ledger, 2)).toBe(3);
    const leaves = await ledger.owner.sealLeaf.count({ where: { tenantId: tenant.id } });
    expect(leaves).toBe(7);
    expect(await findings()).toEqual([]);
  });

  test.each(["request", "operation", "period"] as const)("in the scope of one %s", async (kind) => {
    const day = 86_400_000;
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const scopes = {
      request: { kind: "request", ref: request.ref },
      operation: { kind: "operation", op: opId },
      period: { kind: "period", from: at(-day), to: at(day) },
    } as const;
    const chains = kind === "operation" ? 1 : 2;
    expect(await checked(ledger.owner, tenant.id, scopes[kind])).toMatchObject({
      chains,
      seals: 0,
      findings: [],
    });
    await owned("UPDATE operation_events SET actor = 'user:x' WHERE op_id = $1::uuid AND seq = 2");
    const { findings: found } = await checked(ledger.owner, tenant.id, scopes[kind]);
    expect(found).toMatchObject([{ opId, entry: 2, fault: "changed" }]);
  });
});

describe("SM-4: what the owner of the database did by plain SQL is found and named", () => {
  test("a column of an entry that was changed", async () => {
    await owned(
      "UPDATE operation_events SET reason = 'nothing' WHERE op_id = $1::uuid AND seq = 3",
    );
    expect(await findings()).toMatchObject([{ opId, entry: 3, fault: "changed" }]);
  });

  test("a chain that was changed with all its hashes, by its seal", async () => {
    await owned(`UPDATE operation_events SET actor = 'user:nobody',
      body = replace(body, actor, 'user:nobody') WHERE op_id = $1::uuid AND seq = 2`);
    await rehash(ledger.owner, opId);
    expect(await findings()).toMatchObject([{ opId, entry: 5, sealSeq: 1, fault: "changed" }]);
  });

  test("an entry that was taken out", async () => {
    await owned("DELETE FROM operation_events WHERE op_id = $1::uuid AND seq = 3");
    expect(await findings()).toMatchObject([{ opId, entry: 3, fault: "missing" }]);
  });

  test("a tail that was cut off together with the head, by its seal", async () => {
    await owned("DELETE FROM operation_events WHERE op_id = $1::uuid AND seq > 3");
    await rehash(ledger.owner, opId);
    expect(await findings()).toMatchObject([{ opId, entry: 4, sealSeq: 1, fault: "missing" }]);
  });

  test("an entry that was put in between", async () => {
    await owned("UPDATE operation_events SET seq = seq + 100 WHERE op_id = $1::uuid AND seq > 2");
    await owned("UPDATE operation_events SET seq = seq - 99 WHERE op_id = $1::uuid AND seq > 100");
    await owned(`INSERT INTO operation_events SELECT tenant_id, op_id, 3, kind, to_state, to_state, reason, actor, at,
      body, repeat('a', 64) FROM operation_events WHERE op_id = $1::uuid AND seq = 2`);
    expect(await findings()).toMatchObject([{ opId, entry: 3, fault: "inserted" }]);
  });

  test("an entry behind the last that the head does not know", async () => {
    await owned(`INSERT INTO operation_events SELECT tenant_id, op_id, 6, kind, to_state, to_state, reason, actor, at,
      replace(replace(body, '"seq" : 5', '"seq" : 6'), '"from" : "submitting"', '"from" : "done"'), repeat('a', 64)
      FROM operation_events WHERE op_id = $1::uuid AND seq = 5`);
    expect((await findings())[0]).toMatchObject({ opId, entry: 6 });
  });

  test("two entries that changed places", async () => {
    await owned("UPDATE operation_events SET seq = -seq WHERE op_id = $1::uuid AND seq IN (2, 3)");
    await owned("UPDATE operation_events SET seq = 5 + seq WHERE op_id = $1::uuid AND seq < 0");
    expect(await findings()).toMatchObject([{ opId, entry: 2, fault: "reordered" }]);
  });

  test("an operation that was deleted with all that belongs to it, by its seal", async () => {
    await owned("DELETE FROM operation_events WHERE op_id = $1::uuid");
    await owned("DELETE FROM operation_versions WHERE op_id = $1::uuid");
    await owned("DELETE FROM operations WHERE op_id = $1::uuid");
    const found = await findings();
    expect(found).toMatchObject([{ opId, entry: null, sealSeq: 1, fault: "missing" }]);
  });

  test("an operation that was put in with a date from before a seal", async () => {
    const late = await operationIn(ledger.owner, tenant, request, "done", { ageMs: 3_600_000 });
    expect(await findings()).toMatchObject([{ opId: late, entry: 1, fault: "inserted" }]);
    await sealNow(ledger);
    expect(await findings()).toMatchObject([{ opId: late, entry: 1, fault: "inserted" }]);
  });

  test("a payload that was changed, with and without its hash", async () => {
    await owned("UPDATE operation_versions SET canonical_text = '{}' WHERE op_id = $1::uuid");
    await owned("UPDATE operations SET canonical_text = '{}' WHERE op_id = $1::uuid");
    expect(await findings()).toMatchObject([
      { opId, fault: "changed", detail: expect.stringContaining("version 1") },
    ]);
    const hash = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
    for (const table of ["operation_versions", "operations"]) {
      await owned(`UPDATE ${table} SET payload_hash = $2 WHERE op_id = $1::uuid`, hash);
    }
    expect(await findings()).toMatchObject([
      { opId, fault: "changed", detail: "entry 1 names another payload of version 1" },
    ]);
  });

  test("a seal that was changed, and one that lost a leaf", async () => {
    await owned("DELETE FROM seal_leaves WHERE op_id = $1::uuid");
    expect(await findings()).toMatchObject([{ opId: null, sealSeq: 1, fault: "missing" }]);
    await tamper(ledger.owner, "UPDATE seals SET leaves = 1 WHERE tenant_id = $1::uuid", tenant.id);
    expect(await findings()).toMatchObject([{ opId: null, sealSeq: 1, fault: "changed" }]);
  });

  test("a seal in the middle that was taken out with its leaves", async () => {
    for (let more = 0; more < 2; more += 1) {
      await operationIn(ledger.owner, tenant, request, "obsolete");
      await sealNow(ledger);
    }
    for (const [table, column] of [
      ["seal_leaves", "seal_seq"],
      ["seals", "seq"],
    ]) {
      const sql = `DELETE FROM ${table} WHERE tenant_id = $1::uuid AND ${column} = 2`;
      await tamper(ledger.owner, sql, tenant.id);
    }
    expect(await findings()).toMatchObject([{ opId: null, sealSeq: 3, fault: "missing" }]);
  });
});

test("SM-4: nobody changes or deletes a seal, a leaf or a stamp past its guard", async () => {
  for (const sql of [
    "UPDATE seals SET root = ''",
    "DELETE FROM seal_leaves",
    "TRUNCATE seal_stamps",
  ]) {
    await expect(ledger.owner.$executeRawUnsafe(sql)).rejects.toThrow("append-only");
  }
});

test("C-32: chains of 100 parallel writers in two tenants verify under parallel seals, and a rollback leaves no gap", async () => {
  const crowd = connect(ledger.url, { poolMax: 30 });
  const other = await aTenant(ledger.owner);
  const theirs = await aRequest(ledger.owner, other);
  const operations: [string, string][] = [];
  for (let place = 0; place < 10; place += 1) {
    const [whose, about] =
      place % 2 === 0 ? ([tenant, request] as const) : ([other, theirs] as const);
    operations.push([whose.id, await operationIn(ledger.owner, whose, about, "proposed")]);
  }
  const note = { eventKind: "note", eventActor: "user:test", eventEvidence: "{}" };
  const write = (db: Pick<Database, "operation">, place: number) => {
    const [tenantId = "", id = ""] = operations[place % operations.length] ?? [];
    const where = { tenantId_opId: { tenantId, opId: id } };
    return db.operation.update({ where, data: note, select: { opId: true } });
  };
  try {
    const undo = async (tx: Pick<Database, "operation">) => {
      await write(tx, 0);
      throw new Error("undone");
    };
    const undone = crowd.$transaction(undo, { maxWait: 30_000, timeout: 30_000 });
    const writers = Array.from({ length: 100 }, (_, place) => write(crowd, place));
    const seals = Array.from({ length: 3 }, () => sealNow(ledger, 7));
    await Promise.all([expect(undone).rejects.toThrow("undone"), ...writers, ...seals]);
    await sealNow(ledger);
    const counted = { chains: 7, entries: 65, findings: [] };
    expect(await checked(ledger.owner, tenant.id)).toMatchObject(counted);
    expect(await checked(ledger.owner, other.id)).toMatchObject({ chains: 5, entries: 55 });
    expect((await checked(ledger.owner, other.id)).findings).toEqual([]);
  } finally {
    await crowd.$disconnect();
  }
});

/** Tables that a check reads, and those that they point at. */
const DUMPED = [
  "tenants",
  "accounts",
  "connections",
  "requests",
  "operations",
  "operation_versions",
  "operation_events",
  "seals",
  "seal_leaves",
];

test("C-32: a history that was dumped as text and restored into another database verifies", async () => {
  const restored = await testDatabase();
  const copy = connect(restored.url, { poolMax: 2 });
  try {
    for (const table of DUMPED) {
      const rows = await ledger.owner.$queryRawUnsafe<{ row: string }[]>(
        `SELECT t::text AS row FROM ${table} t`,
      );
      const sql = `INSERT INTO ${table} SELECT (r::${table}).* FROM unnest($1::text[]) r ON CONFLICT DO NOTHING`;
      await tamper(
        copy,
        sql,
        rows.map(({ row }) => row),
      );
    }
    expect(await checked(copy, tenant.id)).toEqual(await checked(ledger.owner, tenant.id));
    expect(await checked(copy, tenant.id)).toMatchObject({ entries: 10, findings: [] });
  } finally {
    await copy.$disconnect();
    await restored.close();
  }
});

/** What `npm run verify` prints about this database and how it ends. */
function verified(slug: string): Promise<{ code: number; text: string }> {
  return new Promise((resolve) => {
    const args = ["--import", "tsx", "workers/launch/verify.ts", "--tenant", slug];
    const options = { cwd: projectRoot, env: { ...process.env, DATABASE_URL: ledger.url } };
    execFile(process.execPath, args, options, (error, out) =>
      resolve({ code: error === null ? 0 : Number(error.code), text: out }),
    );
  });
}

test("SM-4: npm run verify ends with 0 when all fits, and with 1 and the place when anything does not", async () => {
  expect(await verified(tenant.slug)).toEqual({
    code: 0,
    text: "1 tenants, 2 chains, 10 entries, 1 seals.\nAll fits.\n",
  });
  await owned("UPDATE operation_events SET reason = 'nothing' WHERE op_id = $1::uuid AND seq = 3");
  const { code, text } = await verified(tenant.slug);
  expect(text).toContain(`CHANGED: ${tenant.slug}, operation ${opId}, entry 3`);
  expect(code).toBe(1);
  expect(await verified("nobody")).toMatchObject({ code: 2 });
});
