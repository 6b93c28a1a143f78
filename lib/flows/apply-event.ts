import { CapabilityDescriptorSchema } from "@/lib/domain/capability";
import { type EventMeaning, meaningOfEvent, ownTargetKind } from "@/lib/domain/event-order";
import { isTerminal } from "@/lib/domain/observation";
import { typeOfEnd } from "@/lib/domain/outbox";
import { endedFirst } from "@/lib/domain/reached";
import type { Tx } from "@/lib/store/db";
import {
  advanceMirrors,
  hastenLooksOf,
  orderReads,
  withOpenOperations,
} from "@/lib/store/event-effects";
import { type EventOutcome, type InboxDoor, writeEventOutcomes } from "@/lib/store/inbox";
import { lockMirrored, type MirroredRequest, type RecordedEvent } from "@/lib/store/inbox-places";
import { retireOperations } from "@/lib/store/mirror";
import { writeClaimedEnds } from "@/lib/store/outbox";
import { placeStrangers } from "./place-event";

/** One recorded event about a known request, with what it means for the mirror under lock. */
interface Judged {
  readonly event: RecordedEvent;
  readonly request: MirroredRequest;
  readonly meaning: EventMeaning;
}

/**
 * Applies recorded events of one connection in the caller's transaction (IN-2, IN-5, IN-6): conditional updates only,
 * so that applying one again changes nothing. Every event about a known request hastens its looks, and one that tells
 * something new, other or unclear orders an authoritative read (RC-6). Returns what each came to.
 */
export async function applyEvents(
  tx: Tx,
  door: InboxDoor,
  events: readonly RecordedEvent[],
): Promise<readonly EventOutcome[]> {
  const outcomes: EventOutcome[] = [];
  for (const round of roundsOf(events)) outcomes.push(...(await applyRound(tx, door, round)));
  await writeEventOutcomes(tx, door.tenantId, outcomes);
  return outcomes;
}

/** Each request at most once per round, in the order in which its events came. */
function roundsOf(events: readonly RecordedEvent[]): readonly (readonly RecordedEvent[])[] {
  const rounds: RecordedEvent[][] = [];
  const seen = new Map<string, number>();
  for (const event of events) {
    const place = seen.get(event.platformRef) ?? 0;
    seen.set(event.platformRef, place + 1);
    const round = rounds[place] ?? [];
    round.push(event);
    rounds[place] = round;
  }
  return rounds;
}

async function applyRound(
  tx: Tx,
  door: InboxDoor,
  events: readonly RecordedEvent[],
): Promise<readonly EventOutcome[]> {
  const { tenantId, connectionId } = door;
  const refs = events.map(({ platformRef }) => platformRef);
  const mirrored = await lockMirrored(tx, tenantId, connectionId, refs);
  const byRef = new Map(mirrored.map((request) => [request.platformRef, request]));
  const { terminal } = descriptorOf(door);
  const judged = events.flatMap((event): Judged[] => {
    const request = byRef.get(event.platformRef);
    return request ? [{ event, request, meaning: meaningOfEvent(request, event, terminal) }] : [];
  });
  const strangers = events.filter(({ platformRef }) => !byRef.has(platformRef));
  return [
    ...(judged.length === 0 ? [] : await applyJudged(tx, door, judged)),
    ...(strangers.length === 0 ? [] : await placeStrangers(tx, door, strangers)),
  ];
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

async function applyJudged(
  tx: Tx,
  door: InboxDoor,
  judged: readonly Judged[],
): Promise<readonly EventOutcome[]> {
  const { tenantId } = door;
  const moves = judged.flatMap(({ request, meaning }) =>
    meaning.kind === "advance"
      ? [{ ref: request.ref, from: request.status, to: meaning.status, isFinal: meaning.isFinal }]
      : [],
  );
  const moved = moves.length === 0 ? new Set<string>() : await advanceMirrors(tx, tenantId, moves);
  const ended = await endOperations(tx, door, judged, moved);
  const refs = judged.map(({ request }) => request.ref);
  const woken = await hastenLooksOf(tx, tenantId, refs);
  const unread = judged.filter(orders).map(({ request }) => request.ref);
  if (unread.length > 0) await orderReads(tx, tenantId, unread, `platform:${door.name}`);
  return judged.map((one) => {
    const { ref } = one.request;
    return outcomeOf(one, {
      moved: moved.has(ref),
      ended: ended.get(ref) ?? 0,
      woken: woken.get(ref) ?? 0,
    });
  });
}

/** A read is worth its cost unless the event is late or tells a final end that the mirror holds (PL-7). */
function orders({ request, meaning }: Judged): boolean {
  return meaning.kind === "same" ? !request.isFinal : meaning.kind !== "behind";
}

/**
 * IN-6: a terminal event ends what waits on the request, except an operation whose own target it shows; what there is
 * to tell others waits for the read (IN-9). Returns how many operations ended per request.
 */
async function endOperations(
  tx: Tx,
  { tenantId, name }: InboxDoor,
  judged: readonly Judged[],
  moved: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const ends = judged.flatMap(endOf).filter(({ requestRef }) => moved.has(requestRef));
  const ended = new Map<string, number>();
  if (ends.length === 0) return ended;
  await writeClaimedEnds(tx, tenantId, ends);
  const finals = ends.filter(({ isFinal }) => isFinal).map(({ requestRef }) => requestRef);
  const open = await withOpenOperations(tx, tenantId, finals);
  for (const { requestRef, status, inboxId } of ends) {
    if (!open.has(requestRef)) continue;
    const count = await retireOperations(tx, tenantId, requestRef, {
      actor: `platform:${name}`,
      reason: endedFirst(status),
      evidence: { inbox: inboxId },
      exceptOpId: null,
      exceptKind: ownTargetKind(status),
    });
    ended.set(requestRef, count);
  }
  return ended;
}

/** The end that an event brings; none where it brings no news or no end. */
function endOf({ event, request, meaning }: Judged) {
  if (meaning.kind !== "advance" || !isTerminal(meaning.status)) return [];
  const { status, isFinal } = meaning;
  const type = typeOfEnd(status);
  return [{ requestRef: request.ref, status, isFinal, type, inboxId: event.id }];
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
