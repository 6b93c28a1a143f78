import type { Db } from "./db";

/**
 * Ends scheduled operations that have a recorded successor (ID-7): nothing of them is under way, so nothing has to
 * be proven. Returns how many.
 */
export async function endSucceeded(db: Db, limit: number): Promise<number> {
  return db.$executeRaw`
    WITH replaced AS MATERIALIZED (
      SELECT tenant_id, op_id FROM operations
      WHERE state = 'scheduled' AND successor_op_id IS NOT NULL
      ORDER BY tenant_id, op_id LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    )
    UPDATE operations o
    SET state = 'superseded', reason = 'superseded', event_actor = 'system:sweep',
      event_evidence = json_build_object('successor', o.successor_op_id)::text
    FROM replaced r
    WHERE o.tenant_id = r.tenant_id AND o.op_id = r.op_id AND o.state = 'scheduled'`;
}
