import { placeOfEvent } from "@/lib/domain/inbox";
import type { Tx } from "@/lib/store/db";
import { hastenLooksOf } from "@/lib/store/event-effects";
import { type EventOutcome, type InboxDoor, openInputReview } from "@/lib/store/inbox";
import { hasOpenSend, type OwnSend, ownSends, type RecordedEvent } from "@/lib/store/inbox-places";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Places events about requests that no mirror shows (IN-4): they wait while a send of the connection is open, since
 * that send may be theirs, and otherwise a person looks at them. What is about a replaced request changes nothing.
 */
export async function placeStrangers(
  tx: Tx,
  door: InboxDoor,
  events: readonly RecordedEvent[],
): Promise<readonly EventOutcome[]> {
  const { tenantId, connectionId } = door;
  const opIds = events.flatMap(({ clientReference }) =>
    clientReference !== null && UUID.test(clientReference) ? [clientReference] : [],
  );
  const platformRefs = events.map(({ platformRef }) => platformRef);
  const sends = await ownSends(tx, tenantId, connectionId, { opIds, platformRefs });
  const sendOpen = await hasOpenSend(tx, tenantId, connectionId);
  const outcomes: EventOutcome[] = [];
  for (const event of events) {
    outcomes.push(await placeOne(tx, door, event, { ownSend: ownSendOf(event, sends), sendOpen }));
  }
  return outcomes;
}

function ownSendOf(event: RecordedEvent, sends: readonly OwnSend[]): OwnSend | null {
  return (
    sends.find(({ platformRef }) => platformRef === event.platformRef) ??
    sends.find(({ opId }) => opId === event.clientReference) ??
    null
  );
}

async function placeOne(
  tx: Tx,
  { tenantId }: InboxDoor,
  event: RecordedEvent,
  { ownSend, sendOpen }: { readonly ownSend: OwnSend | null; readonly sendOpen: boolean },
): Promise<EventOutcome> {
  const { platformRef, id } = event;
  const place = placeOfEvent({ requestRef: null, sendOpen, ownSend, platformRef });
  const outcome = { id, requestRef: ownSend?.requestRef ?? null, held: null, effects: null };
  switch (place) {
    case "replaced":
      return { ...outcome, outcome: "no_change" };
    case "unmatched":
      if (ownSend !== null) await hastenLooksOf(tx, tenantId, [ownSend.requestRef]);
      return { ...outcome, outcome: "unmatched" };
    case "another":
    case "known":
    case "unknown":
      await openInputReview(tx, tenantId, {
        inboxId: id,
        reason: place === "another" ? "possible_duplicate" : "event_request_unknown",
        owner: "team:on-call",
        evidence: { inbox: id, op: ownSend?.opId ?? null },
      });
      return { ...outcome, outcome: "quarantined" };
  }
}
