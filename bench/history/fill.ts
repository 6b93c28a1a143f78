import { sha256Hex } from "@/lib/domain/canonical";
import type { Database } from "@/lib/store/db";
import {
  anAccount,
  anExtension,
  aRequest,
  aTenant,
  type TestTenant,
} from "@/lib/testing/factories";

/** Entries of one finished operation. */
export const ENTRIES_EACH = 5;
const CHUNK = 50_000;

/** The moves of a finished operation; each is one entry. State after, reason and actor are SQL over its row. */
const MOVES = [
  [null, "'proposed'", "'awaiting_approval'", "'user:' || proposer"],
  ["proposed", "'scheduled'", "'approved'", "'user:' || approver"],
  ["scheduled", "'claimed'", "'picked_up'", "'worker:bench'"],
  ["claimed", "'submitting'", "'intent_stored'", "'worker:bench'"],
  ["submitting", "ending", "ending_reason", "'worker:bench'"],
] as const;

/** People who propose and approve, each with a share of the history. */
const PEOPLE = 40;
/** Operators' entries beside those of operations, one for so many operations. */
const OPERATIONS_PER_ACT = 4;

export interface Filled {
  readonly tenant: TestTenant;
  /** The period in which the newest operations lie, as a pack takes it. */
  readonly period: { readonly from: string; readonly to: string };
  /** Accounts of those who proposed and approved. */
  readonly people: readonly string[];
  /** Some of the operations. */
  readonly operations: readonly string[];
}

/**
 * One tenant with `count` finished operations whose chains are whole. The newest `packed` of them moved in one period
 * and have an approval, an attempt and two reads each. All goes past the triggers, which would take hours.
 */
export async function fillHistory(owner: Database, count: number, packed: number): Promise<Filled> {
  const tenant = await aTenant(owner, "history");
  const people: string[] = [];
  for (let place = 0; place < PEOPLE; place += 1)
    people.push(await anAccount(owner, tenant.id, "account_manager"));
  const payload = anExtension(tenant, await aRequest(owner, tenant, "past_model"));
  for (let from = 0; from < count; from += CHUNK) {
    const part = { payload, people, from, count: Math.min(CHUNK, count - from), packed };
    await addOperations(owner, tenant, part);
  }
  await addActs(owner, tenant, people, Math.floor(count / OPERATIONS_PER_ACT));
  await owner.$executeRaw`VACUUM ANALYZE`;
  const period = { from: "2026-06-01T00:00:00Z", to: "2026-07-01T00:00:00Z" };
  const some = await owner.operation.findMany({ take: 100, select: { opId: true } });
  return { tenant, period, people, operations: some.map(({ opId }) => opId) };
}

type Run = (sql: string, ...values: readonly unknown[]) => Promise<unknown>;

interface Part {
  readonly payload: string;
  readonly people: readonly string[];
  readonly from: number;
  readonly count: number;
  readonly packed: number;
}

async function addOperations(owner: Database, tenant: TestTenant, part: Part): Promise<void> {
  await owner.$transaction(
    async (tx) => {
      const run: Run = (sql, ...values) => tx.$executeRawUnsafe(sql, ...values);
      await run("SET LOCAL session_replication_role = replica");
      await run("SET LOCAL work_mem = '256MB'");
      await run(
        `CREATE TEMP TABLE past ON COMMIT DROP AS
        SELECT n, gen_random_uuid() AS op_id, ''::text AS head, 'past_' || n AS ref, ${KIND} AS kind, ${ENDING},
          ($5::text[])[1 + n % ${PEOPLE}] AS proposer, ($5::text[])[1 + (n * 7 + 3) % ${PEOPLE}] AS approver,
          replace($3, 'past_model', 'past_' || n) AS text, ''::text AS hash,
          CASE WHEN n < $4::integer THEN timestamptz '2026-06-01Z' + n * interval '2 minutes'
            ELSE timestamptz '2025-06-01Z' + random() * interval '360 days' END AS at
        FROM generate_series($1::integer, $2::integer) n`,
        part.from,
        part.from + part.count - 1,
        part.payload,
        part.packed,
        part.people,
      );
      await run("UPDATE past SET hash = encode(sha256(convert_to(text, 'UTF8')), 'hex')");
      await run(
        `INSERT INTO requests (tenant_id, ref, connection_id, platform_ref, zone, mirror_terminal)
        SELECT $1::uuid, ref, $2::uuid, ref, 'UTC', true FROM past`,
        tenant.id,
        tenant.connectionId,
      );
      await addEntries(run, tenant);
      await addRows(run, tenant);
      await addEvidence(run, tenant, part.packed);
    },
    { timeout: 1_800_000, maxWait: 60_000 },
  );
}

/** Mostly reminders, few of the grave kinds. */
const KIND = `CASE WHEN n % 100 < 60 THEN 'remind' WHEN n % 100 < 80 THEN 'extend' WHEN n % 100 < 95 THEN 'send'
  WHEN n % 100 < 97 THEN 'expire' WHEN n % 100 < 99 THEN 'void' ELSE 'resend' END`;

/** What seldom happens is what people look for. */
const ENDING = `CASE WHEN n % 200 = 7 THEN 'failed_terminal' WHEN n % 1000 = 3 THEN 'obsolete' ELSE 'done' END AS ending,
  CASE WHEN n % 200 = 7 THEN 'rejected_payload' WHEN n % 1000 = 3 THEN 'request_voided_first'
    ELSE 'effect_confirmed' END AS ending_reason`;

async function addEntries(run: Run, tenant: TestTenant): Promise<void> {
  for (const [place, [before, after, reason, actor]] of MOVES.entries()) {
    const seq = place + 1;
    await run(
      `CREATE TEMP TABLE step ON COMMIT DROP AS
      SELECT op_id, at, state, reason, actor, body, encode(sha256(convert_to(head || body, 'UTF8')), 'hex') AS hash
      FROM (
        SELECT op_id, head, at, state, reason, actor, json_build_object('tenant', $1::uuid,
          'op', op_id, 'seq', $2::integer, 'kind', 'transition', 'from', $3::text, 'to', state, 'reason', reason,
          'actor', actor, 'fence', 1, 'version', 1, 'payload_hash', hash, 'evidence',
          json_build_object('receipt', op_id), 'at', to_char(at AT TIME ZONE 'UTC',
            'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text AS body
        FROM (SELECT op_id, head, hash, at + $2::integer * interval '2 seconds' AS at, ${after} AS state,
          ${reason} AS reason, ${actor} AS actor FROM past) move) p`,
      tenant.id,
      seq,
      before,
    );
    await run(
      `INSERT INTO operation_events (tenant_id, op_id, seq, kind, from_state, to_state, reason, actor, at, body, hash)
      SELECT $1::uuid, op_id, $2::integer, 'transition', $3, state, reason, actor, at, body, hash
      FROM step ORDER BY step.op_id`,
      tenant.id,
      seq,
      before,
    );
    await run("UPDATE past SET head = step.hash FROM step WHERE step.op_id = past.op_id");
    await run("DROP TABLE step");
  }
}

async function addRows(run: Run, tenant: TestTenant): Promise<void> {
  await run(
    `INSERT INTO operation_versions (tenant_id, op_id, version, canonical_text, payload_hash, author, at)
    SELECT $1::uuid, op_id, 1, text, hash, 'user:' || proposer, at FROM past ORDER BY past.op_id`,
    tenant.id,
  );
  await run(
    `INSERT INTO operations (tenant_id, op_id, op_key, kind, request_ref, connection_id, state, reason, canonical_text,
      payload_hash, approval_id, proposed_by, approved_at, due_at, priority, fence, attempts, chain_length,
      chain_head, created_at, changed_at)
    SELECT $1::uuid, op_id, op_id::text, kind, ref, $2::uuid, ending, ending_reason, text, hash, op_id,
      'user:' || proposer, at, at, 1, 1, 1, ${ENTRIES_EACH}, head, at, at + interval '10 seconds'
    FROM past ORDER BY past.op_id`,
    tenant.id,
    tenant.connectionId,
  );
}

async function addEvidence(run: Run, tenant: TestTenant, packed: number): Promise<void> {
  const body = JSON.stringify({ bench: "read", matches: [{ status: "viewed", version: "7" }] });
  await run(
    `INSERT INTO approvals (tenant_id, op_id, account_id, decision, version, payload_hash, at)
    SELECT $1::uuid, op_id, approver::uuid, 'approve', 1, hash, at FROM past WHERE n < $2::integer`,
    tenant.id,
    packed,
  );
  await run(
    `INSERT INTO attempts (tenant_id, op_id, fence, worker_id, intent_at, lease_until, reported_at, outcome)
    SELECT $1::uuid, op_id, 1, op_id, at, at, at, 'accepted' FROM past WHERE n < $2::integer`,
    tenant.id,
    packed,
  );
  await run(
    `INSERT INTO read_receipts (tenant_id, id, request_ref, op_id, connection_id, purpose, outcome, started_at,
      finished_at, status, matches, body, hash)
    SELECT $1::uuid, gen_random_uuid(), ref, op_id, $2::uuid, purpose, 'read', at, at, 'viewed', 1, $3, $4
    FROM past, unnest(ARRAY['before', 'after']) purpose WHERE n < $5::integer`,
    tenant.id,
    tenant.connectionId,
    body,
    sha256Hex(body),
    packed,
  );
}

/** What operators did beside the operations: controls and settings, readings of the vault, sign-ins. */
async function addActs(
  owner: Database,
  tenant: TestTenant,
  people: readonly string[],
  count: number,
): Promise<void> {
  await owner.$transaction(async (tx) => {
    const run: Run = (sql, ...values) => tx.$executeRawUnsafe(sql, ...values);
    await run("SET LOCAL session_replication_role = replica");
    await run(
      `CREATE TEMP TABLE act ON COMMIT DROP AS
      SELECT n, gen_random_uuid() AS id, ($1::text[])[1 + n % ${PEOPLE}] AS person,
        timestamptz '2025-06-01Z' + random() * interval '380 days' AS at FROM generate_series(1, $2::integer) n`,
      people,
      count,
    );
    await run(
      `INSERT INTO control_events (tenant_id, id, kind, about, actor, body, at)
      SELECT $1::uuid, id, (ARRAY['limits_changed', 'policy_saved', 'pack_taken', 'history_exported'])[1 + n / 2 % 4],
        'bench', 'user:' || person, '{}', at FROM act WHERE n % 2 = 0`,
      tenant.id,
    );
    await run(
      `INSERT INTO vault_reads (tenant_id, id, subject_ref, actor, purpose, at)
      SELECT $1::uuid, id, 'bench', 'user:' || person, 'bench', at FROM act WHERE n % 4 = 1`,
      tenant.id,
    );
    await run(
      `INSERT INTO sessions (id, account_id, created_at, expires_at)
      SELECT id, person::uuid, at, at + interval '8 hours' FROM act WHERE n % 4 = 3`,
    );
  });
}
