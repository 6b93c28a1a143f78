import type { Database } from "@/lib/store/db";
import { tenantOfConnection } from "@/lib/store/inbox";
import type { ConsoleContext } from "./context";
import { type Arrival, type Delivery, NotRecorded, type Received } from "./delivery";
import { recordDeliveries } from "./record-deliveries";

/** A sender hears within a second (IN-2); the rest of it is for the way there and back. Milliseconds. */
const ANSWER_WITHIN_MS = 900;

/** So many deliveries of one connection share a transaction; more would keep the first one waiting. */
const TOGETHER_MAX = 200;
const TOGETHER_BYTES_MAX = 1024 * 1024;

/** Beyond this a sender is told to come again rather than kept in memory. */
const WAITING_MAX = 2_000;

interface Waiting {
  readonly arrival: Arrival;
  settle(received: Received): void;
  fail(error: unknown): void;
}

interface Lane {
  readonly tenantId: string;
  readonly waiting: Waiting[];
}

/** Per pool and connection: what waits for the transaction before it to end. */
const lanes = new WeakMap<Database, Map<string, Lane>>();

/** Which tenant a connection belongs to never changes, so that it is asked once per process. */
const tenants = new WeakMap<Database, Map<string, string>>();

/**
 * Receives one delivery (IN-1, IN-2): once this resolves the answer may be sent, and whatever it says is committed.
 * Deliveries of one connection that arrive while others are being recorded share the next transaction. Throws
 * NotRecorded, or what the database threw, when the sender has to try again, after `answerWithinMs` at the latest.
 * Makes no outside call.
 */
export async function receiveEvent(
  ctx: ConsoleContext,
  delivery: Delivery,
  answerWithinMs = ANSWER_WITHIN_MS,
): Promise<Received> {
  const arrivedAtMs = performance.now();
  const arrival = { ...delivery, arrivedAtMs, heardUntilMs: arrivedAtMs + answerWithinMs };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const tell = () => reject(new NotRecorded("the database did not answer in time"));
    timer = setTimeout(tell, answerWithinMs);
  });
  try {
    return await Promise.race([record(ctx, arrival), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function record(ctx: ConsoleContext, arrival: Arrival): Promise<Received> {
  const tenantId = await tenantOf(ctx.db, arrival.connectionId);
  if (tenantId === null) return "refused";
  return new Promise((settle, fail) => enqueue(ctx, tenantId, { arrival, settle, fail }));
}

async function tenantOf(db: Database, connectionId: string): Promise<string | null> {
  const known = tenants.get(db) ?? new Map<string, string>();
  tenants.set(db, known);
  const tenantId = known.get(connectionId) ?? (await tenantOfConnection(db, connectionId));
  if (tenantId !== null) known.set(connectionId, tenantId);
  return tenantId;
}

/** Whether this process has met this connection before. */
export function knowsConnection({ db }: Pick<ConsoleContext, "db">, connectionId: string): boolean {
  return tenants.get(db)?.has(connectionId) ?? false;
}

function enqueue(ctx: ConsoleContext, tenantId: string, one: Waiting): void {
  const known = lanes.get(ctx.db) ?? new Map<string, Lane>();
  lanes.set(ctx.db, known);
  const { connectionId } = one.arrival;
  const lane = known.get(connectionId);
  if (lane === undefined) {
    const opened = { tenantId, waiting: [one] };
    known.set(connectionId, opened);
    void drain(ctx, opened).finally(() => known.delete(connectionId));
  } else if (lane.waiting.length < WAITING_MAX) lane.waiting.push(one);
  else one.fail(new NotRecorded("too many deliveries wait already"));
}

/** Records what waits, one transaction after the other, until nothing does. Never rejects. */
async function drain(ctx: ConsoleContext, { tenantId, waiting }: Lane): Promise<void> {
  while (waiting.length > 0) {
    // Whoever has heard that nothing is recorded comes again; to record it now would only do the work twice.
    const now = performance.now();
    const group = take(waiting).filter(({ arrival }) => arrival.heardUntilMs > now);
    if (group.length > 0) await recordTogether(ctx, tenantId, group);
  }
}

function take(waiting: Waiting[]): readonly Waiting[] {
  let bytes = 0;
  const fits = waiting.findIndex(({ arrival }, place) => {
    bytes += arrival.raw.byteLength;
    return place >= TOGETHER_MAX || (place > 0 && bytes > TOGETHER_BYTES_MAX);
  });
  return waiting.splice(0, fits === -1 ? waiting.length : fits);
}

async function recordTogether(
  ctx: ConsoleContext,
  tenantId: string,
  group: readonly Waiting[],
): Promise<void> {
  try {
    const arrivals = group.map(({ arrival }) => arrival);
    const received = await recordDeliveries(ctx, tenantId, arrivals);
    for (const [place, one] of group.entries()) one.settle(received[place] ?? "refused");
  } catch (error) {
    // One that cannot be recorded must not take the others with it.
    if (group.length > 1) for (const one of group) await recordTogether(ctx, tenantId, [one]);
    else for (const one of group) one.fail(error);
  }
}
