import { CapabilityDescriptorSchema } from "@/lib/domain/capability";
import { type EventMeaning, meaningOfEvent, ownTargetKind } from "@/lib/domain/event-order";
import { isTerminal } from "@/lib/domain/observation";
import { typeOfEnd } from "@/lib/domain/outbox";
import { endedFirst } from "@/lib/domain/reached";
import type { Tx } from "@/lib/store/db";
import { type MirrorMove, moveRequests, type RequestEffect } from "@/lib/store/event-effects";
import { type EventOutcome, type InboxDoor, writeEventOutcomes } from "@/lib/store/inbox";
import { lockMirrored, type MirroredRequest, type RecordedEvent } from "@/lib/store/inbox-places";
import { retireOperations } from "@/lib/store/mirror";
import { placeStrangers } from "./place-event";

/** One recorded event about a known request, with what it means for the mirror as the events before it leave it. */
interface Judged {
  readonly event: RecordedEvent;
  readonly request: MirroredRequest;
  readonly meaning: EventMeaning;
}

/**
 * Applies recorded events of one connection in the caller's transaction (IN-2, IN-5, IN-6): conditional updates only,
 * so that applying one again changes nothing. Returns what each came to, which is written as well.
 */
export async function applyEvents(
  tx: Tx,
  door: InboxDoor,
  events: readonly RecordedEvent[],
): Promise<readonly EventOutcome[]> {
  const outcomes = await bringAbout(tx, door, events);
  await writeEventOutcomes(tx, door.tenantId, outcomes);
  return outcomes;
}

/** The same without writing what the events came to: the caller does that in the same transaction. */
export async function bringAbout(
  tx: Tx,
  door: InboxDoor,
  events: readonly RecordedEvent[],
): Promise<readonly EventOutcome[]> {
  const refs = events.map(({ platformRef }) => platformRef);
  const mirrored = await lockMirrored(tx, door.tenantId, door.connectionId, refs);
  const known = new Set(mirrored.map(({ platformRef }) => platformRef));
  const strangers = events.filter(({ platformRef }) => !known.has(platformRef));
  return [
    ...(await applyToMirrors(tx, door, mirrored, events)),
    ...(strangers.length === 0 ? [] : await placeStrangers(tx, door, strangers)),
  ];
}

/**
 * Applies events about requests whose mirrors are locked, each judged against what those before it leave. Every one
 * hastens the looks of its request, and one that tells something new, other or unclear orders an authoritative read
 * (RC-6). Returns what each came to; events about other requests are left out.
 */
async function applyToMirrors(
  tx: Tx,
  door: InboxDoor,
  mirrored: readonly MirroredRequest[],
  events: readonly RecordedEvent[],
): Promise<readonly EventOutcome[]> {
  const judged = judgeInTurn(events, mirrored, descriptorOf(door).terminal);
  if (judged.length === 0) return [];
  const effects = await moveRequests(tx, door.tenantId, {
    refs: refsOf(judged),
    moves: movesOf(judged),
    unread: refsOf(judged.filter(orders)),
    orderedBy: `platform:${door.name}`,
  });
  const ended = await endOperations(tx, door, judged, effects);
  const told = new Set<string>();
  return judged.map((one) => {
    const { ref } = one.request;
    const { moved = false, woken = 0 } = effects.get(ref) ?? {};
    const isFirst = !told.has(ref);
    told.add(ref);
    return outcomeOf(one, {
      moved,
      ended: ended.get(one.event.id) ?? 0,
      woken: isFirst ? woken : 0,
    });
  });
}

function judgeInTurn(
  events: readonly RecordedEvent[],
  mirrored: readonly MirroredRequest[],
  terminal: Parameters<typeof meaningOfEvent>[2],
): readonly Judged[] {
  const held = new Map(mirrored.map((request) => [request.platformRef, request]));
  return events.flatMap((event): Judged[] => {
    const request = held.get(event.platformRef);
    if (request === undefined) return [];
    const meaning = meaningOfEvent(request, event, terminal);
    if (meaning.kind === "advance") {
      const { status, isFinal } = meaning;
      held.set(event.platformRef, { ...request, status, isFinal });
    }
    return [{ event, request, meaning }];
  });
}

function refsOf(judged: readonly Judged[]): readonly string[] {
  return [...new Set(judged.map(({ request }) => request.ref))];
}

/** From where each mirror stands to where the last event leaves it; of the ends, which others hear of, the last. */
function movesOf(judged: readonly Judged[]): readonly MirrorMove[] {
  const moves = new Map<string, MirrorMove>();
  for (const { event, request, meaning } of judged) {
    if (meaning.kind !== "advance") continue;
    const { ref } = request;
    const { status: to, isFinal } = meaning;
    const before = moves.get(ref);
    const end = isTerminal(to)
      ? { type: typeOfEnd(to), inboxId: event.id }
      : { type: before?.type ?? null, inboxId: before?.inboxId ?? null };
    moves.set(ref, { ref, from: before ? before.from : request.status, to, isFinal, ...end });
  }
  return [...moves.values()];
}

const descriptors = new Map<string, ReturnType<typeof CapabilityDescriptorSchema.parse>>();

/** Parsed once per text: a process sees a handful of them. */
export function descriptorOf({ descriptor }: Pick<InboxDoor, "descriptor">) {
  const known = descriptors.get(descriptor);
  if (known) return known;
  const parsed = CapabilityDescriptorSchema.parse(JSON.parse(descriptor));
  if (descriptors.size > 100) descriptors.clear();
  descriptors.set(descriptor, parsed);
  return parsed;
}

/** A read is worth its cost unless the event is late or tells a final end that the mirror holds (PL-7). */
function orders({ request, meaning }: Judged): boolean {
  return meaning.kind === "same" ? !request.isFinal : meaning.kind !== "behind";
}

/**
 * IN-6: a final end ends what waits on the request, except an operation whose own target it shows. Returns how many
 * operations each event ended, by its id.
 */
async function endOperations(
  tx: Tx,
  { tenantId, name }: InboxDoor,
  judged: readonly Judged[],
  effects: ReadonlyMap<string, RequestEffect>,
): Promise<ReadonlyMap<string, number>> {
  const ended = new Map<string, number>();
  for (const { event, request, meaning } of judged) {
    if (meaning.kind !== "advance" || !meaning.isFinal || !isTerminal(meaning.status)) continue;
    const effect = effects.get(request.ref);
    if (!effect?.moved || !effect.hasOpen) continue;
    const count = await retireOperations(tx, tenantId, request.ref, {
      actor: `platform:${name}`,
      reason: endedFirst(meaning.status),
      evidence: { inbox: event.id },
      exceptOpId: null,
      exceptKind: ownTargetKind(meaning.status),
    });
    ended.set(event.id, count);
  }
  return ended;
}

function outcomeOf(
  { event, request, meaning }: Judged,
  effect: { readonly moved: boolean; readonly ended: number; readonly woken: number },
): EventOutcome {
  const end = meaning.kind === "advance" && isTerminal(meaning.status);
  const told = effect.moved && meaning.kind === "advance" ? meaning.status : null;
  const { businessDeadlineAt } = request;
  return {
    id: event.id,
    outcome: told !== null || meaning.kind === "needs_read" ? "applied" : "no_change",
    requestRef: request.ref,
    held: meaning.kind === "contradiction" ? meaning.held : null,
    effects: {
      meaning: meaning.kind,
      from: request.status,
      to: told,
      ended: effect.ended,
      woken: effect.woken,
      outbox: told !== null && end ? 1 : 0,
      read: orders({ event, request, meaning }),
      // IN-5: a completion after the business deadline is recorded as it is, and marked.
      late:
        event.status === "completed" &&
        event.occurredAt !== null &&
        businessDeadlineAt !== null &&
        event.occurredAt > businessDeadlineAt,
    },
  };
}
