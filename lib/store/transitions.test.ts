import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  canMove,
  FINAL_STATES,
  HUMAN_STATES,
  LEASED_STATES,
  OPERATION_STATES,
  type OperationState,
  SLOT_STATES,
  TRANSITIONS,
} from "@/lib/domain/operation";
import { testDatabase } from "@/lib/testing/database";
import {
  anAccount,
  aRequest,
  aTenant,
  operationIn,
  type TestRequest,
  type TestTenant,
} from "@/lib/testing/factories";
import { connect, type Database } from "./db";

let database: { url: string; close(): Promise<void> };
let db: Database;
let client: Client;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  db = connect(database.url, { poolMax: 4 });
  client = new Client({ connectionString: database.url });
  await client.connect();
  tenant = await aTenant(db);
});
afterAll(async () => {
  await client.end();
  await db.$disconnect();
  await database.close();
});

/** What a plain client is answered: nothing for success, PostgreSQL's code and constraint for a refusal. */
interface Answer {
  readonly code: string | null;
  readonly constraint: string | null;
  readonly rows: number;
}

type Role = "owner" | "deadline_console" | "deadline_worker";

/** Runs one statement by plain SQL under a role and a tenant and takes it back afterwards. */
async function tried(role: Role, sql: string, values: unknown[] = []): Promise<Answer> {
  await client.query("BEGIN");
  try {
    if (role !== "owner") await client.query(`SET LOCAL ROLE ${role}`);
    await client.query("SELECT set_config('deadline.tenant_id', $1, true)", [tenant.id]);
    const { rowCount } = await client.query(sql, values);
    return { code: null, constraint: null, rows: rowCount ?? 0 };
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    return { code: code ?? "?", constraint: constraint ?? null, rows: 0 };
  } finally {
    await client.query("ROLLBACK");
  }
}

const includes = (states: readonly OperationState[], state: OperationState) =>
  states.includes(state);

/** The columns that the checks ask for in each state, so that only the transition can be refused. */
function shapeOf(state: OperationState): string {
  const leased = includes(LEASED_STATES, state);
  return `lease_owner = ${leased ? "gen_random_uuid()" : "NULL"},
    lease_until = ${leased ? "ledger_now() + interval '1 minute'" : "NULL"},
    owner = ${includes(HUMAN_STATES, state) ? "'team:on-call'" : "owner"},
    next_look_at = ${state === "needs_reconcile" ? "ledger_now()" : "NULL"},
    attempts = ${state === "submitting" ? "greatest(attempts, 1)" : "attempts"},
    first_intent_at = ${state === "submitting" ? "ledger_now()" : "first_intent_at"},
    approved_at = coalesce(approved_at, ledger_now())`;
}

function moveTo(state: OperationState, actor = "'worker:w1'"): string {
  return `UPDATE operations SET state = '${state}', reason = 'test', ${shapeOf(state)}, event_actor = ${actor}
    WHERE op_id = $1`;
}

const operations = new Map<OperationState, string>();
let request: TestRequest;

/** One operation in each state, each on a request of its own. */
beforeAll(async () => {
  for (const state of OPERATION_STATES) {
    request = await aRequest(db, tenant);
    operations.set(state, await operationIn(db, tenant, request, state));
  }
});

function inState(state: OperationState): string {
  const opId = operations.get(state);
  if (!opId) throw new Error(`no operation in ${state}`);
  return opId;
}

test("SM-1: the table of the code and the table of the database are the same", async () => {
  const { rows } = await client.query<{ from_state: string; to_state: string }>(
    "SELECT from_state, to_state FROM operation_transitions",
  );
  const stored = rows.map((row) => `${row.from_state} -> ${row.to_state}`).sort();
  const coded = OPERATION_STATES.flatMap((from) =>
    TRANSITIONS[from].map((to) => `${from} -> ${to}`),
  );

  expect(stored).toEqual(coded.sort());
});

test("SM-1: the database knows the states of the code and no others", async () => {
  for (const state of [...OPERATION_STATES, "sent", ""]) {
    const answer = await tried(
      "owner",
      "UPDATE operations SET state = $2, reason = 'test', event_actor = 'a' WHERE op_id = $1",
      [inState("proposed"), state],
    );
    const known = (OPERATION_STATES as readonly string[]).includes(state);
    if (!known) expect(answer.code).toMatch(/^(DL001|23514)$/);
  }
});

test.each(["owner", "deadline_console", "deadline_worker"] as const)(
  "SM-1: as %s, plain SQL moves an operation exactly along the table",
  async (role) => {
    const wrong: string[] = [];
    for (const from of OPERATION_STATES) {
      for (const to of OPERATION_STATES.filter((state) => state !== from)) {
        const { code, rows } = await tried(role, moveTo(to), [inState(from)]);
        const right = canMove(from, to) ? code === null && rows === 1 : code === "DL001";
        if (!right) wrong.push(`${from} -> ${to}: ${code ?? `${rows} rows`}`);
      }
    }
    expect(wrong).toEqual([]);
  },
);

test("SM-1: an operation begins as proposed or scheduled and nowhere else", async () => {
  const copy = (state: OperationState) => `
    INSERT INTO operations (tenant_id, op_id, op_key, kind, request_ref, connection_id, state, reason,
      canonical_text, payload_hash, approval_id, proposed_by, due_at, priority, approved_at, owner, next_look_at,
      lease_owner, lease_until, attempts, first_intent_at, event_actor)
    SELECT tenant_id, gen_random_uuid(), gen_random_uuid()::text, kind, request_ref, connection_id, '${state}', 'test',
      canonical_text, payload_hash, gen_random_uuid(), proposed_by, due_at, priority, ledger_now(), 'team:on-call',
      ledger_now(), ${includes(LEASED_STATES, state) ? "gen_random_uuid(), ledger_now()" : "NULL, NULL"}, 1,
      ledger_now(), 'user:x'
    FROM operations WHERE op_id = $1`;

  for (const state of OPERATION_STATES) {
    const { code } = await tried("owner", copy(state), [inState("obsolete")]);
    const may = state === "proposed" || state === "scheduled";
    expect([state, code]).toEqual([state, may ? null : "DL001"]);
  }
});

test("SM-3: no change of state without an actor, from any role", async () => {
  for (const role of ["owner", "deadline_console", "deadline_worker"] as const) {
    const move = await tried(role, moveTo("claimed", "NULL"), [inState("scheduled")]);
    expect(move.code).toBe("DL003");
  }
});

test("SM-3: an actor that was left behind by an earlier statement does not speak for a later one", async () => {
  const opId = inState("scheduled");
  await client.query("BEGIN");
  try {
    await client.query("UPDATE operations SET event_actor = 'user:earlier' WHERE op_id = $1", [
      opId,
    ]);
    await expect(
      client.query(moveTo("claimed", "event_actor"), [opId]).then(({ rowCount }) => rowCount),
    ).rejects.toMatchObject({ code: "DL003" });
  } finally {
    await client.query("ROLLBACK");
  }
});

test("SM-3: every move writes exactly one entry, in the same transaction", async () => {
  const opId = inState("claimed");
  await client.query("BEGIN");
  try {
    const entries = () =>
      client.query<{ from_state: string; to_state: string; actor: string; reason: string }>(
        "SELECT from_state, to_state, actor, reason FROM operation_events WHERE op_id = $1 ORDER BY seq",
        [opId],
      );
    const { rowCount: before } = await entries();
    await client.query(moveTo("scheduled"), [opId]);
    const { rows } = await entries();
    expect(rows).toHaveLength((before ?? 0) + 1);
    expect(rows.at(-1)).toEqual({
      from_state: "claimed",
      to_state: "scheduled",
      actor: "worker:w1",
      reason: "test",
    });
    const { rows: left } = await client.query(
      "SELECT event_kind, event_actor, event_evidence FROM operations WHERE op_id = $1",
      [opId],
    );
    expect(left).toEqual([{ event_kind: null, event_actor: null, event_evidence: null }]);
  } finally {
    await client.query("ROLLBACK");
  }
});

test.each(["owner", "deadline_console", "deadline_worker"] as const)(
  "SM-3: as %s, history can be neither changed nor deleted nor emptied",
  async (role) => {
    const refused = role === "owner" ? "DL002" : "42501";
    for (const sql of [
      "UPDATE operation_events SET reason = 'nicer'",
      "UPDATE operation_events SET hash = hash",
      "DELETE FROM operation_events",
      "TRUNCATE operation_events",
      "DELETE FROM operations",
      "TRUNCATE operations CASCADE",
      "UPDATE operation_versions SET author = 'x'",
      "DELETE FROM operation_versions",
      "TRUNCATE operation_versions",
      "UPDATE read_receipts SET status = 'sent'",
      "DELETE FROM read_receipts",
      "TRUNCATE read_receipts",
    ]) {
      expect([sql, (await tried(role, sql)).code]).toEqual([sql, refused]);
    }
  },
);

test("SM-3: no role writes history by itself", async () => {
  const insert = `INSERT INTO operation_events (tenant_id, op_id, seq, kind, to_state, reason, actor, at, body, hash)
    SELECT tenant_id, op_id, 99, 'transition', 'done', 'r', 'user:x', now(), '{}', 'h' FROM operations
    WHERE op_id = $1`;
  const call = "SELECT append_history(o, 'proposed') FROM operations o WHERE op_id = $1";
  const keep = "SELECT keep_version(o) FROM operations o WHERE op_id = $1";

  for (const role of ["deadline_console", "deadline_worker"] as const) {
    for (const sql of [insert, call, keep]) {
      expect((await tried(role, sql, [inState("done")])).code).toBe("42501");
    }
  }
});

test.each([
  ["op_id", "gen_random_uuid()"],
  ["op_key", "op_key || '-2'"],
  ["kind", "'void'"],
  ["approval_id", "gen_random_uuid()"],
  ["created_at", "now()"],
  ["request_ref", "'req_other'"],
  ["connection_id", "gen_random_uuid()"],
  ["tenant_id", "gen_random_uuid()"],
])(
  "ID-2: the %s of an operation never changes, also not while it is a proposal",
  async (column, value) => {
    for (const state of ["proposed", "done"] as const) {
      const set = `UPDATE operations SET ${column} = ${value}, event_kind = 'edited', event_actor = 'user:x'
      WHERE op_id = $1`;
      expect((await tried("owner", set, [inState(state)])).code).toBe("DL004");
    }
  },
);

const EDIT = `UPDATE operations SET canonical_text = canonical_text || ' ', payload_hash = repeat('a', 64),
  version = version + 1, edited_by = 'user:x', event_kind = 'edited', event_actor = 'user:x' WHERE op_id = $1`;

test("AP-1: the payload changes only while it is a proposal, and only as the next version", async () => {
  expect((await tried("deadline_console", EDIT, [inState("proposed")])).rows).toBe(1);
  for (const state of OPERATION_STATES.filter((it) => it !== "proposed")) {
    expect([state, (await tried("owner", EDIT, [inState(state)])).code]).toEqual([state, "DL004"]);
  }
  for (const column of ["canonical_text = ' '", "payload_hash = repeat('b', 64)", "version = 3"]) {
    const set = `UPDATE operations SET ${column}, event_kind = 'edited', event_actor = 'u' WHERE op_id = $1`;
    expect((await tried("owner", set, [inState("proposed")])).code).toBe("DL004");
  }
});

test("AP-1: bytes cannot change in the statement that approves them", async () => {
  const set = `UPDATE operations SET canonical_text = ' ', version = version + 1, state = 'scheduled',
    approved_at = ledger_now(), event_actor = 'user:x' WHERE op_id = $1`;

  expect((await tried("owner", set, [inState("proposed")])).code).toBe("DL004");
});

test("CL-1 CL-3: a fence never goes back, and only the history moves the chain", async () => {
  const set = (change: string) =>
    tried("owner", `UPDATE operations SET ${change} WHERE op_id = $1`, [inState("done")]);

  expect((await set("fence = fence - 1")).code).toBe("DL004");
  expect((await set("fence = fence + 1")).code).toBeNull();
  expect((await set("chain_length = chain_length + 1")).code).toBe("DL004");
  expect((await set("chain_head = ''")).code).toBe("DL004");
});

test("CL-2: a lease is whole, is there exactly while somebody holds it, and final states have none", async () => {
  const set = (state: OperationState, change: string) =>
    tried("owner", `UPDATE operations SET ${change} WHERE op_id = $1`, [inState(state)]);
  const lease = "lease_owner = gen_random_uuid(), lease_until = now()";

  expect((await set("claimed", "lease_until = NULL")).constraint).toBe("operations_lease_is_whole");
  expect((await set("claimed", "lease_owner = NULL")).constraint).toBe("operations_lease_is_whole");
  for (const state of LEASED_STATES) {
    const dropped = await set(state, "lease_owner = NULL, lease_until = NULL");
    expect(dropped.constraint).toBe("operations_lease_only_while_held");
  }
  for (const state of [...FINAL_STATES, ...HUMAN_STATES, "scheduled", "needs_reconcile"] as const) {
    expect((await set(state, lease)).constraint).toBe("operations_lease_only_while_held");
  }
});

test("RV-1: what a person has to decide has an owner, from every state that leads there", async () => {
  for (const to of HUMAN_STATES) {
    for (const from of OPERATION_STATES.filter((state) => canMove(state, to))) {
      for (const owner of ["NULL", "''"]) {
        const sql = moveTo(to).replace("owner = 'team:on-call'", `owner = ${owner}`);
        const answer = await tried("owner", sql, [inState(from)]);
        expect([from, to, answer.constraint]).toEqual([from, to, "operations_person_has_a_name"]);
      }
    }
  }
});

test("RV-1: the same statement opens the review item, with the reason and the owner", async () => {
  await client.query("BEGIN");
  try {
    const opId = inState("claimed");
    await client.query(moveTo("quarantined"), [opId]);
    const { rows } = await client.query(
      "SELECT reason, owner, settled_at FROM review_items WHERE op_id = $1",
      [opId],
    );
    expect(rows).toEqual([{ reason: "test", owner: "team:on-call", settled_at: null }]);
  } finally {
    await client.query("ROLLBACK");
  }
});

test("CL-3: an intent is counted, an unknown has its next look, and nothing works without an approval", async () => {
  const without = async (
    from: OperationState,
    to: OperationState,
    what: string,
    instead: string,
  ) => {
    const sql = moveTo(to).replace(what, instead);
    return (await tried("owner", sql, [inState(from)])).constraint;
  };

  expect(
    await without("claimed", "submitting", "attempts = greatest(attempts, 1)", "attempts = 0"),
  ).toBe("operations_call_was_counted");
  expect(
    await without(
      "claimed",
      "submitting",
      "first_intent_at = ledger_now()",
      "first_intent_at = NULL",
    ),
  ).toBe("operations_call_was_counted");
  expect(
    await without(
      "submitting",
      "needs_reconcile",
      "next_look_at = ledger_now()",
      "next_look_at = NULL",
    ),
  ).toBe("operations_unknown_has_a_next_look");
  expect(
    await without(
      "proposed",
      "scheduled",
      "approved_at = coalesce(approved_at, ledger_now())",
      "approved_at = NULL",
    ),
  ).toBe("operations_approved_before_work");
});

test("CL-4: the database holds a request to one operation in flight or unknown", async () => {
  const busy = await aRequest(db, tenant);
  const waiting = await operationIn(db, tenant, busy, "scheduled");
  for (const state of SLOT_STATES) {
    const held = await operationIn(db, tenant, busy, state);
    const answer = await tried("owner", moveTo("claimed"), [waiting]);
    expect([state, answer.code, answer.constraint]).toEqual([
      state,
      "23505",
      "operations_one_in_flight",
    ]);
    await settle(held, state);
  }
  expect((await tried("owner", moveTo("claimed"), [waiting])).rows).toBe(1);
});

/** Brings an operation out of its slot by legal moves. */
async function settle(opId: string, state: OperationState): Promise<void> {
  const way: Partial<Record<OperationState, OperationState[]>> = {
    claimed: ["obsolete"],
    submitting: ["done"],
    needs_reconcile: ["reconciling", "done"],
    reconciling: ["done"],
  };
  for (const to of way[state] ?? []) await client.query(moveTo(to), [opId]);
}

test("ID-1: a key is unique within its tenant and free in every other one", async () => {
  const other = await aTenant(db);
  const theirs = await aRequest(db, other);
  const key = `campaign/${randomUUID()}`;
  const columns = { opKey: key };
  await operationIn(db, tenant, request, "proposed", { columns });

  await expect(operationIn(db, tenant, request, "proposed", { columns })).rejects.toMatchObject({
    code: "P2002",
  });
  await expect(operationIn(db, other, theirs, "proposed", { columns })).resolves.toBeTruthy();
});

test("ID-1 PV-4: a key takes no address and has at most 200 characters", async () => {
  for (const opKey of ["a@b", "", "k".repeat(201)]) {
    await expect(
      operationIn(db, tenant, request, "proposed", { columns: { opKey } }),
    ).rejects.toThrow();
  }
});

test("PV-2: a role sees and changes the operations of its own tenant only", async () => {
  const other = await aTenant(db);
  const theirs = await aRequest(db, other);
  const opId = await operationIn(db, other, theirs, "scheduled");
  await anAccount(db, other.id, "admin");

  for (const role of ["deadline_console", "deadline_worker"] as const) {
    expect((await tried(role, "SELECT 1 FROM operations WHERE op_id = $1", [opId])).rows).toBe(0);
    expect((await tried(role, moveTo("claimed"), [opId])).rows).toBe(0);
    expect(
      (await tried(role, "SELECT 1 FROM operation_events WHERE op_id = $1", [opId])).rows,
    ).toBe(0);
  }
});
