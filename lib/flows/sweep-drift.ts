import { invariant } from "@/lib/domain/invariant";
import type { Observation, PlatformRequest } from "@/lib/domain/observation";
import { sweepAgeMs } from "@/lib/domain/sweep-age";
import { serverDateOf } from "@/lib/providers/server-date";
import { type ConnectionRow, loadConnection, noteClockSkew } from "@/lib/store/connections";
import { asTenant, type Tx } from "@/lib/store/db";
import {
  type DueSweep,
  lockForSweep,
  type SweptRequest,
  setNextSweep,
  takeDueSweeps,
} from "@/lib/store/drift-sweeps";
import { mayRead } from "@/lib/store/read-budget";
import { storeReceipt } from "@/lib/store/receipts";
import { openClockReview, settleClockReview } from "@/lib/store/review-items";
import { clocksApart, compare, openReviews, ownerOf } from "./drift-reviews";
import { keepMirror } from "./keep-mirror";
import type { WorkerContext } from "./worker-context";

const BATCH = 8;
/** After a read that was not answered. */
const LATER_MS = 60_000;

/**
 * One round of the read-only sweep (RC-7): open requests whose mirror is too old are read within the read budget
 * (PL-7), and what differs from the mirror while nothing of ours is in flight goes to the request's owner. Nothing is
 * ever changed at a platform. Returns how many requests had their turn; 0 means that none was due.
 */
export async function sweepDrift(context: WorkerContext): Promise<number> {
  const askedMs = performance.now();
  const due = await takeDueSweeps(context.owner, BATCH);
  const taken = { askedMs, answeredMs: performance.now() };
  await Promise.all(due.map((sweep) => sweepOne(context, sweep, taken)));
  return due.length;
}

async function sweepOne(context: WorkerContext, due: DueSweep, taken: Taken): Promise<void> {
  const { tenantId } = due;
  const begun = await asTenant(context.db, tenantId, (tx) => begin(tx, due));
  say(context, due, begun.opened);
  if (begun.connection === null) return;
  const { connection } = begun;
  const calledMs = performance.now();
  const observation = await context
    .providerOf(connection)
    .readRequest(due.platformRef, { timeoutMs: connection.callTimeoutMs });
  const skewMs = clockSkewMs(connection.baseUrl, due.takenAt, taken, calledMs);
  const opened = await asTenant(context.db, tenantId, async (tx) => {
    const found = await keep(tx, { due, connection, observation });
    const skewed = skewMs !== null && (await judgeClock(tx, tenantId, connection.id, skewMs));
    return skewed ? [...found, "clock_skew"] : found;
  });
  say(context, due, opened);
}

/** More than waiting can explain: half a minute would already hide a reminder's or an event's place in time. */
const SKEW_MAX_MS = 10_000;

/** Keeps the measurement, and tells the connection's owner when two in a row are too far off (TM-4). True when it did. */
async function judgeClock(
  tx: Tx,
  tenantId: string,
  connectionId: string,
  skewMs: number,
): Promise<boolean> {
  const before = await noteClockSkew(tx, tenantId, connectionId, skewMs);
  if (Math.abs(skewMs) <= SKEW_MAX_MS) {
    await settleClockReview(tx, tenantId, connectionId);
    return false;
  }
  if (before === null || Math.abs(before) <= SKEW_MAX_MS) return false;
  return openClockReview(tx, tenantId, connectionId, Math.round(Math.abs(skewMs) / 1_000));
}

function say(context: WorkerContext, due: DueSweep, opened: readonly string[]): void {
  for (const reason of opened) {
    context.log.info({ event: "drift_found", tenant: due.tenantId, reason });
  }
}

/** The connection to read from; without one the turn is over, and the mirror that others keep fresh was compared. */
async function begin(
  tx: Tx,
  due: DueSweep,
): Promise<{ connection: ConnectionRow | null; opened: readonly string[] }> {
  const { tenantId, ref, connectionId } = due;
  const connection = await loadConnection(tx, tenantId, connectionId);
  invariant(connection, "a request has its connection");
  const wait = await notBefore(tx, due);
  if (wait === null) return { connection, opened: [] };
  const held = await lockForSweep(tx, tenantId, ref);
  invariant(held, "a request is never deleted");
  const seen = {
    status: held.status ?? "unread",
    expiresAt: held.expiresAt?.toISOString() ?? null,
  };
  const apart = held.inFlight ? null : await clocksApart(tx, tenantId, held, seen);
  const found = apart === null ? [] : [{ reason: "clocks_disagree", evidence: apart }];
  const opened = await openReviews(tx, due, ownerOf(held, connection), found);
  await setNextSweep(tx, tenantId, ref, wait);
  return { connection: null, opened };
}

/** When the database was asked for the requests, and when it had answered, by this process's stopwatch. */
interface Taken {
  readonly askedMs: number;
  readonly answeredMs: number;
}

/** A slower answer says too little about the moment at which it was made. */
const PROMPT_MS = 1_000;

/**
 * By how much the platform's clock is ahead of the database's, from the Date header of a read (TM-4); null when
 * database or platform took so long that the figure would be made of waiting.
 */
function clockSkewMs(
  baseUrl: string,
  takenAt: Date,
  { askedMs, answeredMs }: Taken,
  calledMs: number,
): number | null {
  const seen = serverDateOf(baseUrl);
  if (seen === null || seen.seenAtMs < calledMs) return null;
  if (answeredMs - askedMs > PROMPT_MS || seen.seenAtMs - calledMs > PROMPT_MS) return null;
  return seen.dateMs - (takenAt.getTime() + seen.seenAtMs - answeredMs);
}

/** When the read is worth its cost: null for now, else the moment at which the mirror is old or the budget has room. */
async function notBefore(tx: Tx, due: DueSweep): Promise<Date | null> {
  const { tenantId, connectionId, mirrorReadAt, takenAt, earliest } = due;
  if (mirrorReadAt !== null) {
    const old = later(mirrorReadAt, sweepAgeMs(takenAt, earliest));
    if (old > takenAt) return old;
  }
  const budget = await mayRead(tx, tenantId, connectionId, "sweep");
  return budget.may ? null : budget.freeAt;
}

interface Sweep {
  readonly due: DueSweep;
  readonly connection: ConnectionRow;
  readonly observation: Observation;
}

/** Keeps receipt, review items and mirror of one read together. Returns the reasons of the items that it opened. */
async function keep(tx: Tx, sweep: Sweep): Promise<readonly string[]> {
  const { due, connection, observation } = sweep;
  const { tenantId, ref, takenAt } = due;
  const before = await lockForSweep(tx, tenantId, ref);
  invariant(before, "a request is never deleted");
  const receiptId = await storeReceipt(tx, tenantId, {
    requestRef: ref,
    connectionId: connection.id,
    opId: null,
    fence: null,
    purpose: "sweep",
    observation,
    startedAt: takenAt,
  });
  const seen = observation.kind === "read" ? (observation.matches[0] ?? null) : null;
  const found = isComparable(before, sweep) ? await compare(tx, tenantId, before, seen) : [];
  const kept = found.map(({ reason, evidence }) => ({
    reason,
    evidence: { receipt: receiptId, ...evidence },
  }));
  const opened = await openReviews(tx, due, ownerOf(before, connection), kept);
  if (seen !== null) await mirror(tx, sweep, seen, receiptId);
  await setNextSweep(tx, tenantId, ref, nextTurn(sweep, before, seen));
  return opened;
}

/** A newer read knows better, and while something of ours is under way a difference may be our own doing. */
function isComparable(before: SweptRequest, { due, observation }: Sweep): boolean {
  const answered = observation.kind === "read" || observation.kind === "not_found";
  const newest = before.readAt === null || before.readAt <= due.takenAt;
  return answered && newest && !before.inFlight;
}

/** PL-4 and IN-6: the newest read is the mirror, and a final end ends what waits on the request. */
async function mirror(
  tx: Tx,
  { due, connection }: Sweep,
  request: PlatformRequest,
  receiptId: string,
): Promise<void> {
  await keepMirror(tx, due.tenantId, {
    requestRef: due.ref,
    request,
    receiptId,
    startedAt: due.takenAt,
    descriptor: connection.descriptor,
    connectionName: connection.name,
    exceptOpId: null,
  });
}

function nextTurn(
  { due, observation }: Sweep,
  before: SweptRequest,
  seen: PlatformRequest | null,
): Date {
  if (observation.kind === "declined") {
    return later(due.takenAt, Math.max(observation.retryAfterMs ?? 0, LATER_MS));
  }
  if (observation.kind === "unreadable") return later(due.takenAt, LATER_MS);
  const clocks = [before.businessDeadlineAt, seen?.expiresAt ? new Date(seen.expiresAt) : null]
    .filter((clock) => clock !== null)
    .sort((left, right) => left.getTime() - right.getTime());
  return later(due.takenAt, sweepAgeMs(due.takenAt, clocks[0] ?? null));
}

function later(at: Date, byMs: number): Date {
  return new Date(at.getTime() + byMs);
}
