import { applyPauseMs } from "@/lib/domain/inbox";
import { sqlState, type Tx } from "@/lib/store/db";
import { type EventOutcome, type InboxDoor, postponeEvents } from "@/lib/store/inbox";
import type { RecordedEvent } from "@/lib/store/inbox-places";
import { applyEvents } from "./apply-event";
import type { Log } from "./context";

/**
 * Applies recorded events in a savepoint of the caller's transaction (IN-2). Where that fails each is tried by itself,
 * and one that cannot be applied stays recorded for a worker. Returns what each came to; what is missing was not
 * applied. Throws only when the transaction itself is lost.
 */
export async function applySafely(
  tx: Tx,
  log: Log,
  door: InboxDoor,
  events: readonly RecordedEvent[],
): Promise<ReadonlyMap<string, EventOutcome["outcome"]>> {
  if (events.length === 0) return new Map();
  await tx.$executeRaw`SAVEPOINT applying`;
  try {
    const outcomes = await applyEvents(tx, door, events);
    await tx.$executeRaw`RELEASE SAVEPOINT applying`;
    return new Map(outcomes.map(({ id, outcome }) => [id, outcome]));
  } catch (error) {
    await tx.$executeRaw`ROLLBACK TO SAVEPOINT applying`;
    if (events.length > 1) return applyEach(tx, log, door, events);
    const { tenantId, name } = door;
    const reason = errorCode(error);
    log.warn({ event: "event_not_applied", tenant: tenantId, connection: name, reason });
    const ids = events.map(({ id }) => id);
    await postponeEvents(tx, tenantId, ids, reason, applyPauseMs(1));
    return new Map();
  }
}

async function applyEach(
  tx: Tx,
  log: Log,
  door: InboxDoor,
  events: readonly RecordedEvent[],
): Promise<ReadonlyMap<string, EventOutcome["outcome"]>> {
  const outcomes = new Map<string, EventOutcome["outcome"]>();
  for (const event of events) {
    for (const [id, outcome] of await applySafely(tx, log, door, [event]))
      outcomes.set(id, outcome);
  }
  return outcomes;
}

/** What may be kept of a failure: a code of the database or the class of an error, never its words (PV-4). */
export function errorCode(error: unknown): string {
  const state = sqlState(error);
  if (state !== null) return `sql_${state.slice(0, 10)}`;
  return error instanceof Error && /^[A-Za-z]{1,60}$/.test(error.name) ? error.name : "unknown";
}
