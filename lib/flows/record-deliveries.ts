import { type Tx, whenDeadlockedAgain } from "@/lib/store/db";
import { atInboxDoor, type EventOutcome, type InboxDoor } from "@/lib/store/inbox";
import { tallyOutcomes } from "@/lib/store/inbox-tallies";
import { countRefusals, openAuthenticationReview } from "@/lib/store/refused-deliveries";
import { bringAbout } from "./apply-event";
import { applySafely } from "./apply-safely";
import type { ConsoleContext } from "./context";
import type { Arrival, Received } from "./delivery";
import { type Apply, type NewOutcomes, recordEvents } from "./record-events";
import { type Checked, checkDelivery, openSecrets } from "./understand-delivery";

/** How long a recording waits for a row that somebody else holds, so that the sender is answered in time (IN-2). */
const LOCK_WAIT_MS = { applied: 150, first: 300 } as const;

interface Recording {
  readonly received: readonly Received[];
  readonly refused: readonly { readonly why: string; readonly count: number }[];
  readonly connection: string;
}

/**
 * Records deliveries of one connection with their consequences in one transaction (IN-2): inbox rows, mirrors, timers,
 * hand-off. Where any of that fails they are recorded again from the start, and applying then runs in savepoints, so
 * that what cannot be applied is recorded all the same. Returns what became of each, in their order; nothing is kept
 * when it throws.
 */
export async function recordDeliveries(
  ctx: ConsoleContext,
  tenantId: string,
  arrivals: readonly Arrival[],
): Promise<readonly Received[]> {
  const done = await recorded(ctx, tenantId, arrivals);
  if (done === null) return arrivals.map(() => "refused");
  for (const { why, count } of done.refused) {
    ctx.log.warn({
      event: "webhook_refused",
      tenant: tenantId,
      connection: done.connection,
      reason: why,
      count,
    });
  }
  return done.received;
}

async function recorded(
  ctx: ConsoleContext,
  tenantId: string,
  arrivals: readonly Arrival[],
): Promise<Recording | null> {
  const connectionId = arrivals[0]?.connectionId ?? "";
  const at = { tenantId, connectionId };
  try {
    return await atInboxDoor(ctx.db, { ...at, lockWaitMs: LOCK_WAIT_MS.applied }, (tx, door) => {
      const unwritten: EventOutcome[] = [];
      const apply: Apply = async (events) => {
        const outcomes = await bringAbout(tx, door, events);
        unwritten.push(...outcomes);
        return new Map(outcomes.map(({ id, outcome }) => [id, outcome]));
      };
      return recordAt(tx, ctx, door, arrivals, apply, unwritten);
    });
  } catch {
    // Nothing of it is kept. Whatever it was, the careful way meets it again and says so.
    return whenDeadlockedAgain(() =>
      atInboxDoor(ctx.db, { ...at, lockWaitMs: LOCK_WAIT_MS.first }, (tx, door) =>
        recordAt(tx, ctx, door, arrivals, (events) => applySafely(tx, ctx.log, door, events)),
      ),
    );
  }
}

/** `unwritten` is what `apply` came to and left to be written with the count of it: one round trip less. */
async function recordAt(
  tx: Tx,
  ctx: ConsoleContext,
  door: InboxDoor,
  arrivals: readonly Arrival[],
  apply: Apply,
  unwritten: readonly EventOutcome[] = [],
): Promise<Recording> {
  const { tenantId, connectionId, name } = door;
  const secrets = openSecrets(ctx.vaultKey, door);
  const checkedAtMs = performance.now();
  const checked = arrivals.map((arrival) =>
    checkDelivery(ctx.vaultKey, door, secrets, arrival, checkedAtMs),
  );
  const understood = checked.flatMap((one) => (one.authentic ? [one] : []));
  const outcomes: NewOutcomes =
    understood.length === 0 ? new Map() : await recordEvents(tx, door, understood, apply);
  const received = receivedOf(checked, outcomes);
  const taken = received.flatMap((one) => (one === "refused" ? [] : [one]));
  await tallyOutcomes(tx, tenantId, connectionId, taken, unwritten);
  const refused = refusalsOf(checked);
  if (refused.length > 0) {
    await countRefusals(tx, tenantId, connectionId, refused);
    await openAuthenticationReview(tx, tenantId, connectionId);
  }
  return { received, refused, connection: name };
}

function receivedOf(checked: readonly Checked[], outcomes: NewOutcomes): readonly Received[] {
  const told = new Set<string>();
  return checked.map((one): Received => {
    if (!one.authentic) return "refused";
    const { id, identity } = one.row;
    if (told.has(identity)) return "duplicate";
    told.add(identity);
    return outcomes.get(id) ?? "duplicate";
  });
}

function refusalsOf(checked: readonly Checked[]): Recording["refused"] {
  const counts = new Map<string, number>();
  for (const one of checked) {
    if (!one.authentic) counts.set(one.why, (counts.get(one.why) ?? 0) + 1);
  }
  return [...counts].map(([why, count]) => ({ why, count }));
}
