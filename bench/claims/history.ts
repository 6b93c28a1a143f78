import { sha256Hex } from "@/lib/domain/canonical";
import type { Database } from "@/lib/store/db";
import type { Stock } from "./stock";

/** Rows of one statement: enough to be fast, few enough to be sorted in memory. */
const CHUNK = 500_000;
const REQUESTS_PER_TENANT = 500;
const PAYLOAD = '{"bench":"finished long ago"}';

/**
 * Adds `count` finished operations with due times over the last year (C-10). They come without history entries and
 * past the triggers, since only their number and their place in the indexes matter here. The indexes that are no
 * constraint are built again afterwards, which is faster than to keep them.
 */
export async function fillHistory(owner: Database, stock: Stock, count: number): Promise<void> {
  await addRequests(owner, stock);
  const indexes = await owner.$queryRaw<{ name: string; definition: string }[]>`
    SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
    WHERE indrelid = 'operations'::regclass AND indexrelid NOT IN (
      SELECT conindid FROM pg_constraint WHERE conrelid = 'operations'::regclass AND conindid <> 0)`;
  for (const { name } of indexes) await owner.$executeRawUnsafe(`DROP INDEX ${name}`);
  for (let added = 0; added < count; added += CHUNK) {
    await addFinished(owner, stock, Math.min(CHUNK, count - added));
  }
  for (const { definition } of indexes) await owner.$executeRawUnsafe(definition);
}

async function addRequests(owner: Database, stock: Stock): Promise<void> {
  await owner.$executeRaw`
    INSERT INTO requests (tenant_id, ref, connection_id, platform_ref, mirror_terminal)
    SELECT tenant, 'past_' || number, connection, 'past_' || number, true
    FROM unnest(${stock.tenants.map(({ id }) => id)}::uuid[],
      ${stock.tenants.map(({ connectionId }) => connectionId)}::uuid[]) AS t(tenant, connection),
      generate_series(0, ${REQUESTS_PER_TENANT - 1}::integer) AS number
    ON CONFLICT DO NOTHING`;
}

/** Sorted by key, so that the two indexes that stay are written from left to right; the keys are as random as any. */
async function addFinished(owner: Database, stock: Stock, count: number): Promise<void> {
  await owner.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      await tx.$executeRaw`SET LOCAL work_mem = '512MB'`;
      await tx.$executeRaw`
        INSERT INTO operations (tenant_id, op_id, op_key, kind, request_ref, connection_id, state, reason,
          canonical_text, payload_hash, approval_id, proposed_by, approved_at, due_at, priority, fence, attempts,
          created_at, changed_at)
        SELECT tenant, op_id, op_id::text, 'extend', 'past_' || number % ${REQUESTS_PER_TENANT}::integer, connection,
          CASE number % 10 WHEN 0 THEN 'obsolete' WHEN 1 THEN 'superseded' WHEN 2 THEN 'failed_terminal'
            ELSE 'done' END, 'effect_confirmed', ${PAYLOAD}, ${sha256Hex(PAYLOAD)}, op_id, 'user:bench',
          due_at - interval '1 day', due_at, 1, 1, 1, due_at - interval '2 days', due_at + interval '2 seconds'
        FROM (
          SELECT gen_random_uuid() AS op_id, number, now() - random() * interval '365 days' AS due_at,
            (${stock.tenants.map(({ id }) => id)}::uuid[])[1 + number % ${stock.tenants.length}::integer] AS tenant,
            (${stock.tenants.map(({ connectionId }) => connectionId)}::uuid[])[
              1 + number % ${stock.tenants.length}::integer] AS connection
          FROM generate_series(1, ${count}::integer) AS number
          ORDER BY tenant, op_id
        ) past`;
    },
    { timeout: 1_800_000, maxWait: 60_000 },
  );
}
