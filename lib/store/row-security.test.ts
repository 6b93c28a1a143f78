import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Actor } from "@/lib/flows/context";
import { orderRead } from "@/lib/flows/order-read";
import { proposeSend } from "@/lib/flows/propose-send";
import { revealContact } from "@/lib/flows/reveal-contact";
import {
  aMember,
  anApiKey,
  aRead,
  aTenant,
  letters,
  type TestLedger,
  type TestTenant,
  testLedger,
} from "@/lib/testing/tenants";

/** Tables that belong to the installation and carry no tenant. Everything else must have row-level security. */
const GLOBAL = [
  "_prisma_migrations",
  "account_identities",
  "accounts",
  "installation_keys",
  "notice_preferences",
  "operation_transitions",
  "sessions",
  "sign_in_limits",
  "workers",
];

let ledger: TestLedger;
let ours: TestTenant;
let theirs: TestTenant;
let them: Actor;
let client: Client;
/** Every table that carries a tenant, from the catalogue: a new one is tested without anybody thinking of it. */
let tables: string[];

beforeAll(async () => {
  ledger = await testLedger();
  ours = await aTenant(ledger.owner);
  theirs = await aTenant(ledger.owner);
  them = await aMember(ledger.owner, theirs.tenantId);
  await fill();
  client = new Client({ connectionString: ledger.url, options: "-c role=deadline_console" });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') ORDER BY 1`,
  );
  tables = rows.map(({ name }) => name).filter((name) => !GLOBAL.includes(name));
});
afterAll(async () => {
  await client.end();
  await ledger.close();
});

/** At least one row of the other tenant in every table. */
async function fill(): Promise<void> {
  const { tenantId, connectionId } = theirs;
  const ref = `req_${letters()}`;
  const { opId } = await proposeSend(ledger.ctx, them, {
    approvalId: randomUUID(),
    requestRef: ref,
    connectionId,
    documents: [{ digest: "d".repeat(64), version: 1 }],
    signers: [{ name: "Pat Example", email: "pat@example.com", role: "tenant", order: 1 }],
    title: "Lease",
    date: "2027-06-30",
    time: "17:00",
    zone: "Europe/Berlin",
    reminders: { owner: "platform" },
  });
  await anApiKey(ledger.owner, them);
  const receiptId = await aRead(ledger.owner, tenantId, ref, {
    status: "sent",
    expiresAt: "2027-06-30T15:00:00Z",
  });
  await orderRead(ledger.ctx, them, ref);
  const { subjectRef } = await ledger.owner.requestSigner.findFirstOrThrow({ where: { tenantId } });
  await revealContact(ledger.ctx, them, { subjectRef });
  const id = randomUUID();
  const hash = "0".repeat(64);
  const [db, key] = [ledger.owner, { tenantId, id }];
  const worker = { opId, fence: 1, workerId: id };
  const at = new Date();
  await db.attempt.create({ data: { tenantId, ...worker, intentAt: at, leaseUntil: at } });
  await db.approval.create({
    data: {
      tenantId,
      opId,
      accountId: them.id,
      decision: "approve",
      version: 1,
      payloadHash: hash,
    },
  });
  await db.reviewItem.create({
    data: { ...key, opId, reason: "test", owner: "team:on-call", evidence: "{}" },
  });
  await db.routingRule.create({
    data: { ...key, position: 1, owner: "team:on-call", createdBy: them.id },
  });
  await db.rotaShift.create({
    data: {
      ...key,
      team: "team:on-call",
      accountId: them.id,
      startsAt: at,
      endsAt: new Date(at.getTime() + 1),
      createdBy: them.id,
    },
  });
  await db.reviewSelection.create({
    data: { ...key, reason: "test", count: 1, createdBy: them.id },
  });
  await db.reviewSelectionItem.create({
    data: { tenantId, selectionId: id, itemId: id, position: 1 },
  });
  await db.decision.create({
    data: {
      ...key,
      itemId: id,
      family: "operation",
      option: "applied",
      factsHash: hash,
      needsRead: true,
      overridable: true,
      decidedBy: them.id,
      decidedRole: "on_call",
      reasonRef: id,
      reasonDigest: hash,
      outcome: "reading",
    },
  });
  await db.pause.create({ data: { ...key, scope: "tenant", pausedBy: "user:test" } });
  await db.policy.create({ data: { tenantId, kind: "send", version: 2, body: "{}" } });
  await db.inboxEvent.create({
    data: {
      ...key,
      connectionId,
      identity: "evt_1",
      hasEventId: true,
      type: "request.sent",
      outcome: "received",
      keyId: "k1",
      bodySealed: "sealed",
    },
  });
  await db.inboxAct.create({
    data: { ...key, inboxId: id, act: "replayed", actor: "user:test", result: "no_change" },
  });
  await db.inboxRefusal.create({
    data: { tenantId, connectionId, hour: at, why: "signature", count: 1 },
  });
  await db.inboxTally.create({ data: { tenantId, connectionId, outcome: "applied", count: 1 } });
  await db.reminderOwner.create({
    data: { tenantId, requestRef: ref, version: 2, owner: "platform", decidedBy: "user:test" },
  });
  await db.signerContact.create({
    data: {
      ...key,
      requestRef: ref,
      subjectRef,
      source: "elsewhere",
      at,
      recordedBy: "user:test",
    },
  });
  await db.controlEvent.create({
    data: { ...key, kind: "paused", about: "tenant", actor: "user:test", body: "{}" },
  });
  await db.tenantLimit.create({ data: { tenantId, inFlightMax: 9, changedBy: "user:test" } });
  await db.connectionLimit.create({
    data: { tenantId, connectionId, readsPerHour: 9, changedBy: "user:test" },
  });
  await db.dueMark.create({ data: { tenantId, connectionId, kind: "send", nextAt: at } });
  await db.savedView.create({
    data: { ...key, accountId: them.id, page: "deadlines", name: "Mine", query: "owner=me" },
  });
  await db.shadowRecord.create({
    data: {
      ...key,
      kind: "remind",
      requestRef: ref,
      connectionId,
      canonicalText: "{}",
      payloadHash: hash,
      plannedBy: "user:test",
      dueAt: at,
    },
  });
  await db.subscriber.create({
    data: {
      ...key,
      name: "books",
      url: "https://books.example/hook",
      eventTypes: ["request.completed"],
      secretId: "k1",
      secretSealed: "sealed",
      createdBy: "user:test",
      changedBy: "user:test",
    },
  });
  await db.outboxEvent.create({
    data: {
      ...key,
      requestRef: ref,
      type: "request.completed",
      fact: "one",
      cause: "{}",
      heldReason: "awaiting_read",
    },
  });
  await db.outboxDelivery.create({
    data: { ...key, outboxId: id, subscriberId: id, requestRef: ref, state: "held" },
  });
  await db.deliveryAttempt.create({
    data: { tenantId, deliveryId: id, attempt: 1, worker: "w" },
  });
  await db.noticeEndpoint.create({
    data: {
      ...key,
      name: "desk",
      kind: "chat",
      host: "chat.example",
      urlSealed: "sealed",
      createdBy: "user:test",
      changedBy: "user:test",
    },
  });
  await db.notice.create({
    data: {
      ...key,
      matter: "one",
      audience: "team:on-call",
      kind: "review_opened",
      escalation: false,
      count: 1,
      path: "/reviews",
    },
  });
  await db.noticeDelivery.create({
    data: { ...key, noticeId: id, endpointId: id, channel: "chat" },
  });
  await db.unknownAlert.create({ data: { tenantId, opId, unknownSince: at } });
  await db.httpIdempotency.create({
    data: { tenantId, credential: "user:test", keyDigest: hash, requestDigest: hash },
  });
  await db.seal.create({
    data: {
      tenantId,
      seq: 1,
      madeAt: at,
      coveredUntil: at,
      complete: true,
      leaves: 1,
      chains: 1,
      entries: 1,
      root: hash,
      previous: "",
      body: "{}",
      hash,
    },
  });
  await db.sealLeaf.create({ data: { tenantId, opId, sealSeq: 1, length: 1, head: hash } });
  await db.sealStamp.create({
    data: { tenantId, sealSeq: 1, authority: "test", stampedAt: at, token: Buffer.from("t") },
  });
  await db.historyCheck.create({ data: { ...key, scope: "{}", askedBy: "user:test" } });
  await db.historyFinding.create({
    data: { tenantId, checkId: id, place: 1, fault: "changed", detail: "test" },
  });
  await db.retentionRule.create({
    data: {
      tenantId,
      recordClass: "inbox",
      version: 1,
      days: 9,
      owner: "team:compliance",
      changedBy: them.id,
    },
  });
  const typed = { reasonRef: id, reasonDigest: hash };
  await db.retentionHold.create({
    data: { ...key, scope: "request", about: ref, ...typed, setBy: them.id },
  });
  await db.retentionTurn.create({ data: { tenantId, nextRunAt: at } });
  await db.erasure.create({ data: { ...key, subjectRef, ...typed, askedBy: them.id } });
  await db.operationTombstone.create({
    data: { tenantId, opKey: "key", opId, payloadHash: hash, why: "erasure" },
  });
  await db.pack.create({ data: { ...key, scope: "{}", askedBy: "user:test" } });
  await db.packChunk.create({
    data: { tenantId, packId: id, take: 1, place: 0, bytes: Buffer.from("b") },
  });
  expect(receiptId).toBeTruthy();
}

/** Runs as the console does for our tenant; every change is undone. Returns rows, or the reason of the refusal. */
async function asConsole(sql: string, values: unknown[] = []): Promise<unknown[] | string> {
  await client.query("BEGIN");
  try {
    await client.query("SELECT set_config('deadline.tenant_id', $1, true)", [ours.tenantId]);
    const { rows, rowCount } = await client.query(sql, values);
    return /^\s*(UPDATE|DELETE|INSERT)/.test(sql) ? Array(rowCount ?? 0).fill("changed") : rows;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  } finally {
    await client.query("ROLLBACK");
  }
}

/** The column that names the tenant. */
function tenantColumn(table: string): string {
  return table === "tenants" ? "id" : "tenant_id";
}

/** What the console's role may read of a table; credentials of a connection are none of it. */
async function readableColumns(table: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
       AND has_column_privilege(current_user, attrelid, attnum, 'SELECT')`,
    [table],
  );
  return rows.map(({ name }) => `"${name}"`).join(", ");
}

test("PV-2: every table of a tenant has row-level security for the console and carries the tenant first in its key", async () => {
  const { rows } = await client.query<{ name: string; secured: boolean; first: string }>(
    `SELECT c.relname AS name, c.relrowsecurity AS secured, a.attname AS first
     FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
     WHERE c.relname = ANY($1)`,
    [tables],
  );
  expect(rows).toHaveLength(tables.length);
  for (const { name, secured, first } of rows) {
    expect([name, secured, first]).toEqual([name, true, tenantColumn(name)]);
  }
  const { rows: role } = await client.query(
    "SELECT rolbypassrls OR rolsuper AS above FROM pg_roles WHERE rolname = current_user",
  );
  expect(role).toEqual([{ above: false }]);
});

test("PV-2: the other tenant has a row in every table, and the console of ours reads and counts none of them", async () => {
  for (const table of tables) {
    const column = tenantColumn(table);
    const [truth] = await ledger.owner.$queryRawUnsafe<{ rows: number }[]>(
      `SELECT count(*)::int AS rows FROM "${table}" WHERE "${column}" = $1::uuid`,
      theirs.tenantId,
    );
    expect([table, (truth?.rows ?? 0) > 0]).toEqual([table, true]);
    const columns = await readableColumns(table);
    expect([table, columns]).not.toEqual([table, ""]);
    const read = `SELECT ${columns} FROM "${table}" WHERE "${column}" = $1`;
    expect([table, await asConsole(read, [theirs.tenantId])]).toEqual([table, []]);
    const listed = await asConsole(`SELECT "${column}" AS tenant FROM "${table}"`);
    expect([table, Array.isArray(listed)]).toEqual([table, true]);
    expect(JSON.stringify(listed)).not.toContain(theirs.tenantId);
  }
});

test("PV-2: a transaction that names no tenant sees no row of any", async () => {
  for (const table of tables) {
    const { rows } = await client.query(`SELECT count(*)::int AS rows FROM "${table}"`);
    // Switches that hold the whole installation stand under its own tenant and are for everybody to see.
    expect([table, rows]).toEqual([table, [{ rows: 0 }]]);
  }
});

test("PV-2: the console of our tenant changes and deletes no row of the other, in any table", async () => {
  for (const table of tables) {
    const column = tenantColumn(table);
    for (const sql of [
      `UPDATE "${table}" SET "${column}" = "${column}" WHERE "${column}" = $1`,
      `UPDATE "${table}" SET "${column}" = $2 WHERE "${column}" = $1`,
      `DELETE FROM "${table}" WHERE "${column}" = $1`,
    ]) {
      const values = sql.includes("$2") ? [theirs.tenantId, ours.tenantId] : [theirs.tenantId];
      const outcome = await asConsole(sql, values);
      // Nothing found, or no right to try at all (42501).
      expect([sql, outcome]).toEqual([sql, Array.isArray(outcome) ? [] : "42501"]);
    }
  }
});

test("PV-2: the console of our tenant adds no row to the other, in any table", async () => {
  for (const table of tables) {
    const [row] = await ledger.owner.$queryRawUnsafe<Record<string, unknown>[]>(
      `SELECT to_jsonb(t) AS row FROM "${table}" t WHERE "${tenantColumn(table)}" = $1::uuid LIMIT 1`,
      theirs.tenantId,
    );
    const sql = `INSERT INTO "${table}" SELECT * FROM jsonb_populate_record(NULL::"${table}", $1)`;
    const outcome = await asConsole(sql, [JSON.stringify(row?.row)]);
    // 42501 is both "no right" and "the row would belong to another tenant"; DL003 says that history needs an actor.
    expect([table, outcome === "42501" || outcome === "DL003"]).toEqual([table, true]);
  }
});

test("PV-2: an operation of the other tenant is not made by naming it, its history is not written and its credential not read", async () => {
  const [theirOperation] = await ledger.owner.operation.findMany({
    where: { tenantId: theirs.tenantId },
  });
  const insert = `INSERT INTO operations (tenant_id, op_id, op_key, kind, request_ref, connection_id, state, reason,
      canonical_text, payload_hash, approval_id, proposed_by, due_at, priority, event_actor)
    VALUES ($1, $2, 'guess', 'extend', $3, $4, 'proposed', 'x', '{}', repeat('0', 64), $2, 'user:x', now(), 1, 'user:x')`;
  const values = [
    theirs.tenantId,
    randomUUID(),
    theirOperation?.requestRef,
    theirOperation?.connectionId,
  ];
  expect(await asConsole(insert, values)).toBe("42501");
  // Under our own tenant their request is none that an operation could point at.
  expect(await asConsole(insert, [ours.tenantId, ...values.slice(1)])).toBe("23503");
  for (const sql of [
    "INSERT INTO operation_events SELECT * FROM operation_events",
    "UPDATE operation_events SET reason = 'x'",
    "DELETE FROM operation_events",
    "TRUNCATE operation_events",
    "SELECT api_key_sealed FROM connections",
    "UPDATE connections SET base_url = 'http://127.0.0.1:1'",
    // Members are added in the console, and only to the tenant that is looked at.
    `INSERT INTO memberships (tenant_id, account_id, role) SELECT '${theirs.tenantId}', id, 'admin' FROM accounts`,
    `UPDATE memberships SET tenant_id = '${theirs.tenantId}'`,
    "DELETE FROM memberships",
    "UPDATE accounts SET login = 'x'",
  ]) {
    expect([sql, await asConsole(sql)]).toEqual([sql, "42501"]);
  }
});
