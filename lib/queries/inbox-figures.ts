import type { Db } from "@/lib/store/db";
import type { InboxTally } from "@/lib/store/inbox-tallies";

/** How often something happened at one connection since it exists; only grows. */
export interface InboxCount {
  readonly tenantId: string;
  readonly connectionId: string;
  /** An outcome, or `refused` for deliveries that failed authentication. */
  readonly outcome: InboxTally | "refused";
  readonly count: number;
}

/** What is recorded at one connection and not applied (IN-2), or waits for a send that may be its own (IN-4). */
export interface InboxWaiting {
  readonly tenantId: string;
  readonly connectionId: string;
  readonly outcome: "received" | "unmatched";
  readonly count: number;
  /** Age of the oldest by the database's clock, in milliseconds. */
  readonly oldestMs: number;
}

export interface InboxFigures {
  readonly counts: readonly InboxCount[];
  /** Empty when nothing waits. */
  readonly waiting: readonly InboxWaiting[];
}

/**
 * What deliveries came to and what waits now, over all tenants (OP-1). An event that is applied later counts once as
 * `received` and once as what it came to. Reads a few rows per connection and what waits, never the events of the past.
 * Needs a connection that sees every tenant.
 */
export async function inboxFigures(owner: Db): Promise<InboxFigures> {
  const counts = await owner.$queryRaw<InboxCount[]>`
    SELECT tenant_id AS "tenantId", connection_id AS "connectionId", outcome, count::float8 AS count FROM inbox_tallies
    UNION ALL
    SELECT tenant_id, connection_id, 'refused', sum(count)::float8 FROM inbox_refusals GROUP BY tenant_id, connection_id
    ORDER BY 1, 2, 3`;
  const waiting = await owner.$queryRaw<InboxWaiting[]>`
    SELECT tenant_id AS "tenantId", connection_id AS "connectionId", outcome, count(*)::integer AS count,
      (extract(epoch FROM ledger_now() - min(received_at)) * 1000)::float8 AS "oldestMs"
    FROM (
      SELECT tenant_id, connection_id, outcome, received_at FROM inbox_events WHERE outcome = 'received'
      UNION ALL
      SELECT tenant_id, connection_id, outcome, received_at FROM inbox_events WHERE outcome = 'unmatched'
    ) waiting
    GROUP BY tenant_id, connection_id, outcome ORDER BY 1, 2, 3`;
  return { counts, waiting };
}
