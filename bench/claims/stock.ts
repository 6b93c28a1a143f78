import { sha256Hex } from "@/lib/domain/canonical";
import type { Database } from "@/lib/store/db";
import { anExtension, aRequest, aTenant, type TestTenant } from "@/lib/testing/factories";

const TENANTS = 20;

/** Tenants with one connection each, and the text of a payload as a person approves it. */
export interface Stock {
  readonly tenants: readonly TestTenant[];
  readonly payload: string;
}

export async function openStock(owner: Database): Promise<Stock> {
  const tenants: TestTenant[] = [];
  for (let number = 1; number <= TENANTS; number += 1) {
    tenants.push(await aTenant(owner, `bench-${number}`));
  }
  await liftLimits(owner);
  const [first] = tenants;
  if (!first) throw new Error("a bench needs tenants");
  return { tenants, payload: anExtension(first, await aRequest(owner, first)) };
}

/** Quotas are counted in every claim, and none is reached. */
async function liftLimits(owner: Database): Promise<void> {
  await owner.$executeRaw`
    INSERT INTO tenant_limits (tenant_id, in_flight_max, calls_per_minute, changed_by)
    SELECT id, 100000, 100000, 'user:bench' FROM tenants WHERE slug LIKE 'bench-%'`;
  await owner.$executeRaw`
    INSERT INTO connection_limits (tenant_id, connection_id, in_flight_max, calls_per_minute, changed_by)
    SELECT tenant_id, id, 100000, 100000, 'user:bench' FROM connections`;
}

/**
 * Fills up until every tenant has `perTenant` due operations, each on a request of its own, approved and due within
 * the last 84 minutes (C-10). They go through the triggers like any other operation.
 */
export async function fillDue(owner: Database, stock: Stock, perTenant: number): Promise<void> {
  for (const { id, connectionId } of stock.tenants) {
    await owner.$executeRaw`
      WITH fresh AS MATERIALIZED (
        SELECT gen_random_uuid() AS op_id, 'bench_' || replace(gen_random_uuid()::text, '-', '') AS ref
        FROM generate_series(1, ${perTenant}::integer - (
          SELECT count(*)::integer FROM operations WHERE tenant_id = ${id}::uuid AND state = 'scheduled'))
      ), asked AS (
        INSERT INTO requests (tenant_id, ref, connection_id, platform_ref)
        SELECT ${id}::uuid, ref, ${connectionId}::uuid, ref FROM fresh
      )
      INSERT INTO operations (tenant_id, op_id, op_key, kind, request_ref, connection_id, state, reason,
        canonical_text, payload_hash, approval_id, proposed_by, approved_at, due_at, priority,
        event_actor, event_evidence)
      SELECT ${id}::uuid, op_id, ref || '/extend/1', 'extend', ref, ${connectionId}::uuid, 'scheduled', 'approved',
        ${stock.payload}, ${sha256Hex(stock.payload)}, gen_random_uuid(), 'user:bench', ledger_now(),
        ledger_now() - random() * interval '84 minutes', 1, 'user:bench', '{}'
      FROM fresh`;
  }
}

/** How many operations have come to their end; a round counts only when all of its operations did. */
export async function countDone(owner: Database): Promise<number> {
  const [row] = await owner.$queryRaw<{ done: number }[]>`
    SELECT count(*)::integer AS done FROM operations o
    WHERE state = 'done' AND fence = 1 AND chain_length = 4 AND lease_owner IS NULL AND EXISTS (
      SELECT 1 FROM attempts a
      WHERE a.tenant_id = o.tenant_id AND a.op_id = o.op_id AND a.outcome = 'accepted')`;
  return row?.done ?? 0;
}
