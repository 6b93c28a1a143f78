import { APPLY_AGE_MAX_MS } from "@/lib/domain/inbox";
import type { Tx } from "@/lib/store/db";

/** What stands above the list, whatever its filters. */
export interface InboxStrip {
  /** How many events are set aside or wait, per outcome. */
  readonly counts: Readonly<Record<"received" | "unmatched" | "quarantined" | "dead", number>>;
  /** Recorded events that were not applied within a minute: an alert (IN-2). */
  readonly late: number;
  /** Events of this day (UTC) that came more than once. */
  readonly duplicatesToday: number;
  /** Deliveries that failed authentication within 24 hours, by connection and cause; nothing else of them is kept. */
  readonly refusals: readonly RefusalCount[];
  readonly connections: readonly { readonly id: string; readonly name: string }[];
}

export interface RefusalCount {
  readonly connection: string;
  readonly why: string;
  readonly count: number;
}

/** Counts of the tenant's inbox. Costs by what is set aside and by what came today. */
export async function inboxStrip(tx: Tx, tenantId: string): Promise<InboxStrip> {
  const connections = await tx.connection.findMany({
    where: { tenantId },
    select: { id: true, name: true },
    orderBy: { name: "asc" },
  });
  return {
    ...(await setAsideOf(tx, tenantId)),
    duplicatesToday: await duplicatesOf(tx, tenantId),
    refusals: await refusalsOf(tx, tenantId),
    connections,
  };
}

async function setAsideOf(tx: Tx, tenantId: string): Promise<Pick<InboxStrip, "counts" | "late">> {
  const rows = await tx.$queryRaw<{ outcome: string; count: number; late: number }[]>`
    SELECT outcome, count(*)::integer AS count, count(*) FILTER (WHERE outcome = 'received' AND received_at <
      ledger_now() - ${APPLY_AGE_MAX_MS}::integer * interval '1 millisecond')::integer AS late
    FROM inbox_events
    WHERE tenant_id = ${tenantId}::uuid AND outcome IN ('received', 'unmatched', 'quarantined', 'dead')
    GROUP BY outcome`;
  const counted = new Map(rows.map(({ outcome, count }) => [outcome, count]));
  const of = (outcome: string) => counted.get(outcome) ?? 0;
  return {
    counts: {
      received: of("received"),
      unmatched: of("unmatched"),
      quarantined: of("quarantined"),
      dead: of("dead"),
    },
    late: rows.reduce((sum, { late }) => sum + late, 0),
  };
}

async function duplicatesOf(tx: Tx, tenantId: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::integer AS count FROM inbox_events
    WHERE tenant_id = ${tenantId}::uuid AND copies > 1
      AND received_at >= date_trunc('day', ledger_now(), 'UTC')`;
  return row?.count ?? 0;
}

/** Deliveries of the last 24 hours that failed authentication, by connection and cause (IN-1). */
export function refusalsOf(tx: Tx, tenantId: string): Promise<RefusalCount[]> {
  return tx.$queryRaw<RefusalCount[]>`
    SELECT c.name AS connection, r.why, sum(r.count)::integer AS count
    FROM inbox_refusals r JOIN connections c ON c.tenant_id = r.tenant_id AND c.id = r.connection_id
    WHERE r.tenant_id = ${tenantId}::uuid AND r.hour > ledger_now() - interval '24 hours'
    GROUP BY c.name, r.why ORDER BY c.name, r.why`;
}
