import { Prisma } from "@/lib/store/prisma/client";
import type { Tx } from "./db";
import { type EventOutcome, outcomesWritten } from "./inbox";

/** What an event or a copy of one came to. `received`: recorded at intake and not applied yet. */
export type InboxTally =
  | "received"
  | "applied"
  | "no_change"
  | "unmatched"
  | "quarantined"
  | "dead"
  | "duplicate";

/**
 * Counts what events of one connection came to, in the transaction that brings it about (OP-1), and writes what is
 * still `unwritten` of it in the same statement (IN-2). The rows of the count are shared by all who record, so this is
 * the last statement before the commit. In the order of the outcomes (C-09).
 */
export async function tallyOutcomes(
  tx: Tx,
  tenantId: string,
  connectionId: string,
  outcomes: readonly InboxTally[],
  unwritten: readonly EventOutcome[] = [],
): Promise<void> {
  if (outcomes.length === 0) return;
  const written =
    unwritten.length === 0
      ? Prisma.empty
      : Prisma.sql`WITH written AS (${outcomesWritten(tenantId, unwritten)})`;
  await tx.$executeRaw`
    ${written}
    INSERT INTO inbox_tallies (tenant_id, connection_id, outcome, count)
    SELECT ${tenantId}::uuid, ${connectionId}::uuid, o.outcome, count(*)
    FROM unnest(${[...outcomes]}::text[]) AS o(outcome) GROUP BY o.outcome ORDER BY o.outcome
    ON CONFLICT (tenant_id, connection_id, outcome) DO UPDATE SET count = inbox_tallies.count + EXCLUDED.count`;
}
