import { sha256Hex } from "@/lib/domain/canonical";
import type { Database } from "@/lib/store/db";
import {
  anExtension,
  aRequest,
  aTenant,
  operationIn,
  type TestTenant,
} from "@/lib/testing/factories";

/** Open requests of each tenant: as many before and after the history grows. */
const OPEN_PER_TENANT = 100;
/** Real operations per tenant, with history, reads and approval; their pages are the ones that are opened. */
const WHOLE_PER_TENANT = 2;
/** Operations of one finished request. */
const PER_REQUEST = 4;
/** The first tenant holds this share of the history: a large customer among small ones. */
const LARGE_SHARE = 0.1;
const CHUNK = 250_000;

export interface Stock {
  readonly tenants: readonly TestTenant[];
  /** Operations whose pages are opened. */
  readonly whole: readonly { readonly tenant: TestTenant; readonly opId: string }[];
  readonly payload: string;
}

/** Tenants with open requests in every state that the lists show, and some operations that are whole. */
export async function fillOpen(owner: Database, tenantCount: number): Promise<Stock> {
  const tenants: TestTenant[] = [];
  const whole: { tenant: TestTenant; opId: string }[] = [];
  let payload = "";
  for (let number = 0; number < tenantCount; number += 1) {
    const tenant = await aTenant(owner, `pages-${number}`);
    tenants.push(tenant);
    for (let place = 0; place < WHOLE_PER_TENANT; place += 1) {
      const request = await aRequest(owner, tenant);
      whole.push({ tenant, opId: await operationIn(owner, tenant, request, "done") });
      payload ||= anExtension(tenant, request);
    }
    await addOpen(owner, tenant, payload);
  }
  return { tenants, whole, payload };
}

/** Half of the open requests wait for a timer, a quarter for an approval, a few are unknown, the rest has nothing open. */
async function addOpen(owner: Database, tenant: TestTenant, payload: string): Promise<void> {
  await pastTriggers(owner, async (run) => {
    await run(
      `INSERT INTO requests (tenant_id, ref, connection_id, platform_ref, zone, owner_account_id,
        business_deadline_at, mirror_status, mirror_expires_at, mirror_read_at, mirror_signed, mirror_signers)
      SELECT $1::uuid, 'open_' || lpad(n::text, 4, '0'), $2::uuid, 'open_' || n, 'Europe/Berlin', $3::uuid, at,
        'viewed', CASE WHEN n % 20 = 0 THEN at + interval '2 days' ELSE at END, now(), 1, 2
      FROM (SELECT n, now() + make_interval(hours => n * 5 - 10) AS at FROM generate_series(1, $4::integer) n) o`,
      [tenant.id, tenant.connectionId, tenant.proposerId, OPEN_PER_TENANT],
    );
    await run(
      `INSERT INTO operations (tenant_id, op_id, op_key, kind, request_ref, connection_id, state, reason,
        canonical_text, payload_hash, approval_id, proposed_by, approval_expires_at, approved_at, due_at, priority,
        attempts, unknown_since, next_look_at)
      SELECT $1::uuid, gen_random_uuid(), 'open/' || n, kind, 'open_' || lpad(n::text, 4, '0'), $2::uuid, state,
        reason, $3, $4, gen_random_uuid(), $5, now() + interval '1 day',
        CASE WHEN state <> 'proposed' THEN now() END, now() + make_interval(hours => n * 3), 1,
        CASE WHEN state = 'needs_reconcile' THEN 1 ELSE 0 END,
        CASE WHEN state = 'needs_reconcile' THEN now() END,
        CASE WHEN state = 'needs_reconcile' THEN now() + interval '1 day' END
      FROM (SELECT n, CASE WHEN n % 2 = 0 THEN 'remind' ELSE 'extend' END AS kind,
          CASE WHEN n % 2 = 0 THEN 'scheduled' WHEN n % 4 = 1 THEN 'proposed' ELSE 'needs_reconcile' END AS state,
          CASE WHEN n % 2 = 0 THEN 'approved_by_policy' WHEN n % 4 = 1 THEN 'awaiting_approval'
            ELSE 'call_timed_out' END AS reason
        FROM generate_series(1, $6::integer) n WHERE n % 2 = 0 OR n % 4 = 1 OR n % 25 = 3) o`,
      [
        tenant.id,
        tenant.connectionId,
        payload,
        sha256Hex(payload),
        `user:${tenant.proposerId}`,
        OPEN_PER_TENANT,
      ],
    );
  });
}

/**
 * Adds `count` finished operations with three history entries and a read each, on finished requests, with times over
 * the last year. They go past the triggers; indexes that are no constraint are built again afterwards.
 */
export async function fillHistory(owner: Database, stock: Stock, count: number): Promise<void> {
  const large = Math.floor(count * LARGE_SHARE);
  const [first, ...others] = stock.tenants;
  if (!first) throw new Error("a bench needs tenants");
  const each = Math.floor((count - large) / Math.max(others.length, 1));
  const shares = [
    { tenant: first, count: large },
    ...others.map((tenant) => ({ tenant, count: each })),
  ];
  const indexes = await owner.$queryRaw<{ name: string; definition: string }[]>`
    SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
    WHERE indrelid = ANY(ARRAY['operations', 'requests', 'read_receipts']::regclass[]) AND indexrelid NOT IN (
      SELECT conindid FROM pg_constraint WHERE conindid <> 0)`;
  for (const { name } of indexes) await owner.$executeRawUnsafe(`DROP INDEX ${name}`);
  for (const share of shares) {
    for (let done = 0; done < share.count; done += CHUNK) {
      await addFinished(owner, stock, share.tenant, done, Math.min(CHUNK, share.count - done));
    }
  }
  for (const { definition } of indexes) await owner.$executeRawUnsafe(definition);
  await owner.$executeRaw`VACUUM ANALYZE`;
}

async function addFinished(
  owner: Database,
  { payload }: Stock,
  tenant: TestTenant,
  from: number,
  count: number,
): Promise<void> {
  const place = [tenant.id, tenant.connectionId, from, from + count - 1] as const;
  await pastTriggers(owner, async (run) => {
    await run(
      `INSERT INTO requests (tenant_id, ref, connection_id, platform_ref, zone, owner_account_id,
        business_deadline_at, mirror_status, mirror_expires_at, mirror_read_at, mirror_signed, mirror_signers,
        mirror_terminal)
      SELECT $1::uuid, 'past_' || n, $2::uuid, 'past_' || n, 'UTC', $5::uuid, at, 'completed', at, at, 2, 2, true
      FROM (SELECT DISTINCT n / $6::integer AS n FROM generate_series($3::integer, $4::integer) n) r,
        LATERAL (SELECT now() - random() * interval '365 days' + n * interval '0' AS at) t
      ON CONFLICT DO NOTHING`,
      [...place, tenant.proposerId, PER_REQUEST],
    );
    await run(
      `CREATE TEMP TABLE past ON COMMIT DROP AS
      SELECT n, gen_random_uuid() AS op_id, now() - random() * interval '365 days' AS at
      FROM generate_series($1::integer, $2::integer) n`,
      [from, from + count - 1],
    );
    await run(
      `INSERT INTO operations (tenant_id, op_id, op_key, kind, request_ref, connection_id, state, reason,
        canonical_text, payload_hash, approval_id, proposed_by, approved_at, due_at, priority, fence, attempts,
        created_at, changed_at)
      SELECT $1::uuid, op_id, op_id::text, CASE n % 4 WHEN 0 THEN 'send' WHEN 1 THEN 'extend' ELSE 'remind' END,
        'past_' || n / $3::integer, $2::uuid, CASE n % 10 WHEN 0 THEN 'obsolete' WHEN 1 THEN 'superseded'
          WHEN 2 THEN 'failed_terminal' ELSE 'done' END, 'effect_confirmed', $4, $5, op_id, 'user:bench',
        at - interval '1 day', at, 1, 1, 1, at - interval '2 days', at + interval '2 seconds'
      FROM past ORDER BY past.op_id`,
      [tenant.id, tenant.connectionId, PER_REQUEST, payload, sha256Hex(payload)],
    );
    await run(
      `INSERT INTO operation_events (tenant_id, op_id, seq, kind, from_state, to_state, reason, actor, at, body, hash)
      SELECT $1::uuid, op_id, seq, 'moved', NULL, 'done', 'effect_confirmed', 'worker:bench', at,
        '{"bench":"finished long ago","evidence":{}}', repeat('0', 64)
      FROM past, generate_series(1, 3) seq ORDER BY past.op_id, seq`,
      [tenant.id],
    );
    await run(
      `INSERT INTO read_receipts (tenant_id, id, request_ref, op_id, purpose, outcome, started_at, finished_at,
        status, matches, body, hash, connection_id)
      SELECT $1::uuid, gen_random_uuid(), 'past_' || n / $3::integer, op_id, 'after', 'read', at, at, 'viewed', 1,
        '{"bench":"read"}', repeat('0', 64), $2::uuid
      FROM past`,
      [tenant.id, tenant.connectionId, PER_REQUEST],
    );
  });
}

type Run = (sql: string, values: readonly unknown[]) => Promise<unknown>;

async function pastTriggers(owner: Database, work: (run: Run) => Promise<void>): Promise<void> {
  await owner.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      await tx.$executeRaw`SET LOCAL work_mem = '256MB'`;
      await work((sql, values) => tx.$executeRawUnsafe(sql, ...values));
    },
    { timeout: 1_800_000, maxWait: 60_000 },
  );
}
