import { Refusal } from "@/lib/domain/refusal";
import type { EventContent } from "@/lib/providers/port";
import { webhookReaderOf } from "@/lib/providers/webhooks";
import { asTenant, type Tx } from "@/lib/store/db";
import { type InboxDoor, inboxDoor } from "@/lib/store/inbox";
import {
  beginReplays,
  endReplays,
  eventsBetween,
  lockForReplay,
  type ReadAgain,
  type ReplayableEvent,
  type ReplayPlace,
} from "@/lib/store/inbox-replays";
import { placeOf, unseal } from "@/lib/store/vault-cipher";
import { applySafely } from "./apply-safely";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";
import { columnsOf, setAsideOf } from "./understand-delivery";

/** What the replay of one event came to. `received`: it failed again, and a worker tries on. */
export interface Replayed {
  readonly id: string;
  readonly result: "applied" | "no_change" | "unmatched" | "quarantined" | "received";
}

/** So many events share a transaction. */
const TOGETHER = 100;

/** A day at a busy platform; more is asked for in parts. */
const STRETCH_MAX = 20_000;

/** As patient as the intake: rows that are held are tried by a worker. Milliseconds. */
const LOCK_WAIT_MS = 1_000;

/**
 * Has recorded events applied again through the same conditional updates (IN-8), whatever became of them before: what
 * was applied changes nothing a second time. Quarantined and dead ones are read anew from their raw body while it is
 * kept. Each replay is recorded with its actor. Events that do not exist are left out of the answer. Throws Refusal
 * `not_permitted`.
 */
export async function replayEvents(
  ctx: ConsoleContext,
  actor: Actor,
  ids: readonly string[],
): Promise<readonly Replayed[]> {
  permitPerson(actor, "inbox.replay");
  const replayed: Replayed[] = [];
  for (let from = 0; from < ids.length; from += TOGETHER) {
    replayed.push(...(await replayTogether(ctx, actor, ids.slice(from, from + TOGETHER))));
  }
  return replayed;
}

/** The same for one event. Throws Refusal `not_found`. */
export async function replayEvent(
  ctx: ConsoleContext,
  actor: Actor,
  id: string,
): Promise<Replayed> {
  const [replayed] = await replayEvents(ctx, actor, [id]);
  if (!replayed) throw new Refusal("not_found");
  return replayed;
}

export interface ReplayedStretch {
  readonly count: number;
  /** How many came to each result. */
  readonly results: Readonly<Record<string, number>>;
  /** Where to go on when there was more than one call may replay; null at the end. */
  readonly after: ReplayPlace | null;
}

/**
 * The same for everything that was received from one instant up to another, such as a day, in the order of receipt; at
 * least `most` events before it says where to go on.
 */
export async function replayStretch(
  ctx: ConsoleContext,
  actor: Actor,
  stretch: { readonly from: Date; readonly to: Date; readonly after: ReplayPlace | null },
  most = STRETCH_MAX,
): Promise<ReplayedStretch> {
  permitPerson(actor, "inbox.replay");
  let { after } = stretch;
  const results: Record<string, number> = {};
  for (let count = 0; ; ) {
    const places = await asTenant(ctx.db, actor.tenantId, (tx) =>
      eventsBetween(tx, actor.tenantId, { ...stretch, after }, TOGETHER),
    );
    const ids = places.map(({ id }) => id);
    const replayed = await replayEvents(ctx, actor, ids);
    for (const { result } of replayed) results[result] = (results[result] ?? 0) + 1;
    count += replayed.length;
    after = places.at(-1) ?? after;
    if (places.length < TOGETHER) return { count, results, after: null };
    if (count >= most) return { count, results, after };
  }
}

async function replayTogether(
  ctx: ConsoleContext,
  actor: Actor,
  ids: readonly string[],
): Promise<readonly Replayed[]> {
  const { tenantId } = actor;
  return asTenant(ctx.db, tenantId, async (tx) => {
    const events = await lockForReplay(tx, tenantId, ids);
    const replayed: Replayed[] = [];
    for (const connectionId of new Set(events.map((event) => event.connectionId))) {
      const door = await inboxDoor(tx, tenantId, connectionId, LOCK_WAIT_MS);
      const own = events.filter((event) => event.connectionId === connectionId);
      if (door) replayed.push(...(await replayAt(tx, ctx, actor, door, own)));
    }
    return replayed;
  });
}

async function replayAt(
  tx: Tx,
  ctx: ConsoleContext,
  actor: Actor,
  door: InboxDoor,
  events: readonly ReplayableEvent[],
): Promise<readonly Replayed[]> {
  const by = actorName(actor);
  const read = events.map((event) => readAgain(ctx.vaultKey, door, event));
  await beginReplays(tx, door.tenantId, read, by);
  const hasId = new Map(events.map(({ id, hasEventId }) => [id, hasEventId]));
  const applying = read.flatMap(({ applies, platformRef, claimedStatus, occurredAt, ...event }) =>
    applies && platformRef !== null
      ? [
          {
            ...event,
            platformRef,
            connectionId: door.connectionId,
            hasEventId: hasId.get(event.id) ?? false,
            status: claimedStatus,
            occurredAt: occurredAt === null ? null : new Date(occurredAt),
          },
        ]
      : [],
  );
  const applied = await applySafely(tx, ctx.log, door, applying);
  const results = events.map(({ id, outcome: before }, place) => {
    const applies = read[place]?.applies ?? false;
    const result = applies ? (applied.get(id) ?? "received") : "quarantined";
    return { id, before, result } as const;
  });
  await endReplays(tx, door.tenantId, results, by);
  return results.map(({ id, result }) => ({ id, result }));
}

/** What the present reader makes of an event whose body is still kept; otherwise what its row says. */
function readAgain(vaultKey: Buffer, door: InboxDoor, event: ReplayableEvent): ReadAgain {
  const { id, bodySealed, source } = event;
  if (bodySealed === "" || source === "poll") {
    const { type, platformRef, clientReference, claimedStatus } = event;
    const columns = { type, platformRef, clientReference, claimedStatus };
    const occurredAt = event.occurredAt?.toISOString() ?? null;
    return { id, ...columns, occurredAt, applies: platformRef !== null };
  }
  const raw = unseal(vaultKey, bodySealed, placeOf("inbox_events", door.tenantId, id));
  const content: EventContent = webhookReaderOf(door.adapter).read(raw);
  return { id, ...columnsOf(content), applies: setAsideOf(door, content) === null };
}
