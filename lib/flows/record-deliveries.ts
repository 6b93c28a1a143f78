import { asTenant, type Tx } from "@/lib/store/db";
import {
  countRefusals,
  type InboxDoor,
  inboxDoor,
  openInputReview,
  recordInboxEvents,
} from "@/lib/store/inbox";
import { applySafely } from "./apply-safely";
import type { ConsoleContext } from "./context";
import type { Arrival, Received } from "./delivery";
import { type Checked, checkDelivery, openSecrets, type Understood } from "./understand-delivery";

/** How long a recording waits for a row that somebody else holds, so that the sender is answered in time (IN-2). */
const LOCK_WAIT_MS = 400;

interface Recording {
  readonly received: readonly Received[];
  readonly refused: readonly { readonly why: string; readonly count: number }[];
  readonly connection: string;
}

/**
 * Records deliveries of one connection with their consequences in one transaction (IN-2): inbox rows, mirrors, timers,
 * hand-off. Applying runs in savepoints, so that what cannot be applied is recorded all the same. Returns what became
 * of each, in their order; nothing is kept when it throws.
 */
export async function recordDeliveries(
  ctx: ConsoleContext,
  tenantId: string,
  arrivals: readonly Arrival[],
): Promise<readonly Received[]> {
  const connectionId = arrivals[0]?.connectionId ?? "";
  const done = await asTenant(ctx.db, tenantId, async (tx) => {
    const door = await inboxDoor(tx, tenantId, connectionId, LOCK_WAIT_MS);
    return door && recordAt(tx, ctx, door, arrivals);
  });
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

async function recordAt(
  tx: Tx,
  ctx: ConsoleContext,
  door: InboxDoor,
  arrivals: readonly Arrival[],
): Promise<Recording> {
  const { tenantId, connectionId, name } = door;
  const secrets = openSecrets(ctx.vaultKey, door);
  const checkedAtMs = performance.now();
  const checked = arrivals.map((arrival) =>
    checkDelivery(ctx.vaultKey, door, secrets, arrival, checkedAtMs),
  );
  const refused = refusalsOf(checked);
  if (refused.length > 0) await countRefusals(tx, tenantId, connectionId, refused);
  const understood = checked.flatMap((one) => (one.authentic ? [one] : []));
  const outcomes = await recordUnderstood(tx, ctx, door, understood);
  const told = new Set<string>();
  const received = checked.map((one): Received => {
    if (!one.authentic) return "refused";
    const { id, identity } = one.row;
    if (told.has(identity)) return "duplicate";
    told.add(identity);
    return outcomes.get(id) ?? "duplicate";
  });
  return { received, refused, connection: name };
}

function refusalsOf(checked: readonly Checked[]): Recording["refused"] {
  const counts = new Map<string, number>();
  for (const one of checked) {
    if (!one.authentic) counts.set(one.why, (counts.get(one.why) ?? 0) + 1);
  }
  return [...counts].map(([why, count]) => ({ why, count }));
}

/** Returns what each new event came to by its id; events that are only copies are not in it. */
async function recordUnderstood(
  tx: Tx,
  ctx: ConsoleContext,
  door: InboxDoor,
  understood: readonly Understood[],
): Promise<ReadonlyMap<string, Received>> {
  if (understood.length === 0) return new Map();
  const { tenantId, connectionId } = door;
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
  const outcomes = new Map<string, Received>();
  for (const { row, setAside } of news) {
    if (setAside === null) continue;
    await openInputReview(tx, tenantId, { inboxId: row.id, ...setAside });
    outcomes.set(row.id, "quarantined");
  }
  const events = news.flatMap(({ event }) => (event === null ? [] : [event]));
  const applied = await applySafely(tx, ctx.log, door, events);
  for (const { id } of events) outcomes.set(id, applied.get(id) ?? "received");
  return outcomes;
}
