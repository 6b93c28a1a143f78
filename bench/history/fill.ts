import { sha256Hex } from "@/lib/domain/canonical";
import type { Database } from "@/lib/store/db";
import { anExtension, aRequest, aTenant, type TestTenant } from "@/lib/testing/factories";

/** Entries of one finished operation. */
export const ENTRIES_EACH = 5;
const CHUNK = 50_000;

/** The moves of a finished operation; each is one entry. */
const MOVES = [
  [null, "proposed", "awaiting_approval", "user:bench"],
  ["proposed", "scheduled", "approved", "user:bench"],
  ["scheduled", "claimed", "picked_up", "worker:bench"],
  ["claimed", "submitting", "intent_stored", "worker:bench"],
  ["submitting", "done", "effect_confirmed", "worker:bench"],
] as const;

export interface Filled {
  readonly tenant: TestTenant;
  /** The period in which the newest operations lie, as a pack takes it. */
  readonly period: { readonly from: string; readonly to: string };
}

/**
 * One tenant with `count` finished operations whose chains are whole. The newest `packed` of them moved in one period
 * and have an approval, an attempt and two reads each. All goes past the triggers, which would take hours.
 */
export async function fillHistory(owner: Database, count: number, packed: number): Promise<Filled> {
  const tenant = await aTenant(owner, "history");
  const payload = anExtension(tenant, await aRequest(owner, tenant, "past_model"));
  for (let from = 0; from < count; from += CHUNK) {
    await addOperations(owner, tenant, payload, from, Math.min(CHUNK, count - from), packed);
  }
  await owner.$executeRaw`VACUUM ANALYZE`;
  return { tenant, period: { from: "2026-06-01T00:00:00Z", to: "2026-07-01T00:00:00Z" } };
}

type Run = (sql: string, ...values: readonly unknown[]) => Promise<unknown>;

async function addOperations(
  owner: Database,
  tenant: TestTenant,
  payload: string,
  from: number,
  count: number,
  packed: number,
): Promise<void> {
  await owner.$transaction(
    async (tx) => {
      const run: Run = (sql, ...values) => tx.$executeRawUnsafe(sql, ...values);
      await run("SET LOCAL session_replication_role = replica");
      await run("SET LOCAL work_mem = '256MB'");
      await run(
        `CREATE TEMP TABLE past ON COMMIT DROP AS
        SELECT n, gen_random_uuid() AS op_id, ''::text AS head, 'past_' || n AS ref,
          replace($3, 'past_model', 'past_' || n) AS text, ''::text AS hash,
          CASE WHEN n < $4::integer THEN timestamptz '2026-06-01Z' + n * interval '2 minutes'
            ELSE timestamptz '2025-06-01Z' + random() * interval '360 days' END AS at
        FROM generate_series($1::integer, $2::integer) n`,
        from,
        from + count - 1,
        payload,
        packed,
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
      await addEvidence(run, tenant, packed);
    },
    { timeout: 1_800_000, maxWait: 60_000 },
  );
}

async function addEntries(run: Run, tenant: TestTenant): Promise<void> {
  for (const [place, [before, after, reason, actor]] of MOVES.entries()) {
    const seq = place + 1;
    await run(
      `CREATE TEMP TABLE step ON COMMIT DROP AS
      SELECT op_id, at, body, encode(sha256(convert_to(head || body, 'UTF8')), 'hex') AS hash FROM (
        SELECT op_id, head, at + $2::integer * interval '2 seconds' AS at, json_build_object('tenant', $1::uuid,
          'op', op_id, 'seq', $2::integer, 'kind', 'transition', 'from', $3::text, 'to', $4::text,
          'reason', $5::text, 'actor', $6::text, 'fence', 1, 'version', 1, 'payload_hash', hash, 'evidence',
          json_build_object('receipt', op_id), 'at', to_char((at + $2::integer * interval '2 seconds')
            AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text AS body
        FROM past) p`,
      tenant.id,
      seq,
      before,
      after,
      reason,
      actor,
    );
    await run(
      `INSERT INTO operation_events (tenant_id, op_id, seq, kind, from_state, to_state, reason, actor, at, body, hash)
      SELECT $1::uuid, op_id, $2::integer, 'transition', $3, $4, $5, $6, at, body, hash FROM step ORDER BY step.op_id`,
      tenant.id,
      seq,
      before,
      after,
      reason,
      actor,
    );
    await run("UPDATE past SET head = step.hash FROM step WHERE step.op_id = past.op_id");
    await run("DROP TABLE step");
  }
}

async function addRows(run: Run, tenant: TestTenant): Promise<void> {
  await run(
    `INSERT INTO operation_versions (tenant_id, op_id, version, canonical_text, payload_hash, author, at)
    SELECT $1::uuid, op_id, 1, text, hash, 'user:bench', at FROM past ORDER BY past.op_id`,
    tenant.id,
  );
  await run(
    `INSERT INTO operations (tenant_id, op_id, op_key, kind, request_ref, connection_id, state, reason, canonical_text,
      payload_hash, approval_id, proposed_by, approved_at, due_at, priority, fence, attempts, chain_length,
      chain_head, created_at, changed_at)
    SELECT $1::uuid, op_id, op_id::text, 'extend', ref, $2::uuid, 'done', 'effect_confirmed', text, hash, op_id,
      'user:bench', at, at, 1, 1, 1, ${ENTRIES_EACH}, head, at, at + interval '10 seconds'
    FROM past ORDER BY past.op_id`,
    tenant.id,
    tenant.connectionId,
  );
}

async function addEvidence(run: Run, tenant: TestTenant, packed: number): Promise<void> {
  const body = JSON.stringify({ bench: "read", matches: [{ status: "viewed", version: "7" }] });
  await run(
    `INSERT INTO approvals (tenant_id, op_id, account_id, decision, version, payload_hash, at)
    SELECT $1::uuid, op_id, $2::uuid, 'approve', 1, hash, at FROM past WHERE n < $3::integer`,
    tenant.id,
    tenant.approverId,
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
