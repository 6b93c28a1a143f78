import { randomUUID } from "node:crypto";
import type { Client } from "pg";
import type { OperationState } from "@/lib/domain/operation";
import type { TestTenant } from "./factories";

export interface Bulk {
  readonly count: number;
  readonly state: OperationState;
  readonly columns?: Record<string, string>;
  readonly onOneRequest?: boolean;
}

/** Many operations in one state, written past the triggers: for plans, races and speed. Returns their ids, sorted. */
export async function bulkOperations(
  client: Client,
  of: TestTenant,
  { count, state, columns = {}, onOneRequest }: Bulk,
) {
  const mark = `b${randomUUID().slice(0, 8)}`;
  const names = Object.keys(columns);
  await client.query("BEGIN");
  await client.query("SET LOCAL session_replication_role = replica");
  await client.query(
    `INSERT INTO requests (tenant_id, ref, connection_id, platform_ref)
     SELECT $1, $3 || '-' || n, $2, $3 || '-' || n FROM generate_series(1, $4::int) n`,
    [of.id, of.connectionId, mark, onOneRequest ? 1 : count],
  );
  const { rows } = await client.query<{ op_id: string }>(
    `INSERT INTO operations (tenant_id, op_id, op_key, kind, request_ref, connection_id, state, reason,
       canonical_text, payload_hash, approval_id, proposed_by, approved_at, due_at, priority
       ${names.map((name) => `, ${name}`).join("")})
     SELECT $1, gen_random_uuid(), $3 || '/' || n, 'extend', $3 || '-' || ${onOneRequest ? "1" : "n"}, $2, $5,
       'approved', '{}', repeat('a', 64), gen_random_uuid(), 'user:x', now() - interval '400 days',
       now() - n * interval '1 second', 1 ${names.map((name) => `, ${columns[name]}`).join("")}
     FROM generate_series(1, $4::int) n
     RETURNING op_id`,
    [of.id, of.connectionId, mark, count, state],
  );
  await client.query("COMMIT");
  return rows.map((row) => row.op_id).sort();
}
