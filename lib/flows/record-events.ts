import type { Tx } from "@/lib/store/db";
import {
  type EventOutcome,
  type InboxDoor,
  type NewInboxEvent,
  openInputReview,
  recordInboxEvents,
  writeEventOutcomes,
} from "@/lib/store/inbox";
import { lockPlaces } from "@/lib/store/inbox-places";
import { applyToMirrors, sorted } from "./apply-event";
import { applySafely } from "./apply-safely";
import type { Log } from "./context";
import type { Received } from "./delivery";
import { placeStrangers } from "./place-event";
import type { Understood } from "./understand-delivery";

/** What each new event came to, by its id; events that are only copies are not in it. */
export type NewOutcomes = ReadonlyMap<string, Exclude<Received, "refused" | "duplicate">>;

/** Another process recorded one of the events in the same moment. */
class Raced extends Error {
  override readonly name = "Raced";
}

/**
 * Records authentic deliveries together with what they come to: requests are locked, events judged and applied, and
 * each row is written once. All or nothing: it throws when any of it fails, and the caller then records with
 * `recordFirst` in a transaction of its own, so that what cannot be applied is recorded all the same (IN-2).
 */
export async function recordApplied(
  tx: Tx,
  door: InboxDoor,
  understood: readonly Understood[],
): Promise<NewOutcomes> {
  const { tenantId, connectionId } = door;
  const { once, copiesOf } = byIdentity(understood);
  const { mirrored, known: recorded } = await lockPlaces(tx, tenantId, connectionId, {
    platformRefs: once.flatMap(({ event }) => event?.platformRef ?? []),
    identities: once.map(({ row }) => row.identity),
  });
  const news = once.filter(({ row }) => !recorded.has(row.identity));
  const events = news.flatMap(({ event }) => event ?? []);
  const { known, strangers } = sorted(events, mirrored);
  const applied = await applyToMirrors(tx, door, mirrored, known);
  const written = new Map(applied.map((one) => [one.id, one]));
  const rows = once.map((one) => rowOf(one, copiesOf(one), written.get(one.row.id)));
  const fresh = await recordInboxEvents(tx, tenantId, connectionId, rows);
  if (fresh.size !== news.length) throw new Raced();
  const placed = strangers.length === 0 ? [] : await placeStrangers(tx, door, strangers);
  if (placed.length > 0) await writeEventOutcomes(tx, tenantId, placed);
  const outcomes = [...applied, ...placed].map(({ id, outcome }) => [id, outcome] as const);
  return new Map([...outcomes, ...(await setAside(tx, tenantId, news))]);
}

/**
 * Records authentic deliveries first and applies them then, in savepoints (IN-2): one that cannot be applied stays
 * recorded, and a worker applies it later.
 */
export async function recordFirst(
  tx: Tx,
  log: Log,
  door: InboxDoor,
  understood: readonly Understood[],
): Promise<NewOutcomes> {
  const { tenantId, connectionId } = door;
  const { once, copiesOf } = byIdentity(understood);
  const rows = once.map((one) => rowOf(one, copiesOf(one), undefined));
  const fresh = await recordInboxEvents(tx, tenantId, connectionId, rows);
  const news = once.filter(({ row }) => fresh.has(row.id));
  const aside = await setAside(tx, tenantId, news);
  const events = news.flatMap(({ event }) => event ?? []);
  const applied = await applySafely(tx, log, door, events);
  const outcomes = events.map(({ id }) => [id, applied.get(id) ?? "received"] as const);
  return new Map([...outcomes, ...aside]);
}

/** Each event once, the first delivery of it, and how many deliveries of it there are. */
function byIdentity(understood: readonly Understood[]) {
  const firsts = new Map<string, Understood>();
  const copies = new Map<string, number>();
  for (const one of understood) {
    const { identity } = one.row;
    if (!firsts.has(identity)) firsts.set(identity, one);
    copies.set(identity, (copies.get(identity) ?? 0) + 1);
  }
  return {
    once: [...firsts.values()],
    copiesOf: ({ row }: Understood) => copies.get(row.identity) ?? 1,
  };
}

function rowOf(
  { row }: Understood,
  copies: number,
  written: EventOutcome | undefined,
): NewInboxEvent {
  const { outcome, requestRef, held, effects } = written ?? { ...row, ...NOT_APPLIED };
  return { ...row, copies, outcome, requestRef, held, effects };
}

const NOT_APPLIED = { requestRef: null, held: null, effects: null };

/** Asks a person about what cannot be applied (IN-4). */
async function setAside(tx: Tx, tenantId: string, news: readonly Understood[]) {
  const outcomes: (readonly [string, "quarantined"])[] = [];
  for (const { row, setAside: aside } of news) {
    if (aside === null) continue;
    await openInputReview(tx, tenantId, { inboxId: row.id, ...aside });
    outcomes.push([row.id, "quarantined"]);
  }
  return outcomes;
}
