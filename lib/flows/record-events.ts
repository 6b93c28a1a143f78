import type { Tx } from "@/lib/store/db";
import { type InboxDoor, openInputReview, recordInboxEvents } from "@/lib/store/inbox";
import type { RecordedEvent } from "@/lib/store/inbox-places";
import type { Received } from "./delivery";
import type { Understood } from "./understand-delivery";

type Outcome = Exclude<Received, "refused" | "duplicate">;

/** What each new event came to, by its id; events that are only copies are not in it. */
export type NewOutcomes = ReadonlyMap<string, Outcome>;

/** Applies recorded events; what is missing in its answer stays recorded for a worker. */
export type Apply = (events: readonly RecordedEvent[]) => Promise<ReadonlyMap<string, Outcome>>;

/**
 * Records authentic deliveries, each event once, and has the new ones applied (IN-2). What cannot be applied goes to a
 * person (IN-4).
 */
export async function recordEvents(
  tx: Tx,
  { tenantId, connectionId }: InboxDoor,
  understood: readonly Understood[],
  apply: Apply,
): Promise<NewOutcomes> {
  const firsts = new Map<string, Understood>();
  const copies = new Map<string, number>();
  for (const one of understood) {
    const { identity } = one.row;
    if (!firsts.has(identity)) firsts.set(identity, one);
    copies.set(identity, (copies.get(identity) ?? 0) + 1);
  }
  const once = [...firsts.values()];
  const rows = once.map(({ row }) => ({ ...row, copies: copies.get(row.identity) ?? 1 }));
  const fresh = await recordInboxEvents(tx, tenantId, connectionId, rows);
  const news = once.filter(({ row }) => fresh.has(row.id));
  const outcomes = new Map<string, Outcome>();
  for (const { row, setAside } of news) {
    if (setAside === null) continue;
    await openInputReview(tx, tenantId, { inboxId: row.id, ...setAside });
    outcomes.set(row.id, "quarantined");
  }
  const events = news.flatMap(({ event }) => event ?? []);
  const applied = events.length === 0 ? new Map<string, Outcome>() : await apply(events);
  for (const { id } of events) outcomes.set(id, applied.get(id) ?? "received");
  return outcomes;
}
