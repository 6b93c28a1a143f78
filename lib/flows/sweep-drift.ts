import { clocksApartMs, driftsOf } from "@/lib/domain/drift";
import { invariant } from "@/lib/domain/invariant";
import { isTerminal, type Observation, type PlatformRequest } from "@/lib/domain/observation";
import { ownerFor } from "@/lib/domain/owner";
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
import { presentPolicy } from "@/lib/store/policies";
import { mayRead } from "@/lib/store/read-budget";
import { storeReceipt } from "@/lib/store/receipts";
import { openRequestReview } from "@/lib/store/review-items";
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
  const due = await takeDueSweeps(context.owner, BATCH);
  const takenAtMs = performance.now();
  await Promise.all(due.map((sweep) => sweepOne(context, sweep, takenAtMs)));
  return due.length;
}

async function sweepOne(context: WorkerContext, due: DueSweep, takenAtMs: number): Promise<void> {
  const { tenantId, ref } = due;
  const connection = await asTenant(context.db, tenantId, async (tx) => {
    const wait = await notBefore(tx, due);
    if (wait === null) return loadConnection(tx, tenantId, due.connectionId);
    await setNextSweep(tx, tenantId, ref, wait);
    return null;
  });
  if (connection === null) return;
  const observation = await context
    .providerOf(connection)
    .readRequest(due.platformRef, { timeoutMs: connection.callTimeoutMs });
  const skewMs = clockSkewMs(connection.baseUrl, due.takenAt, takenAtMs);
  const opened = await asTenant(context.db, tenantId, async (tx) => {
    const found = await keep(tx, { due, connection, observation });
    if (skewMs !== null) await noteClockSkew(tx, tenantId, connection.id, skewMs);
    return found;
  });
  for (const reason of opened) {
    context.log.info({ event: "drift_found", tenant: tenantId, request: ref, reason });
  }
}

/** By how much the platform's clock is ahead of the database's, from the Date header of a read (TM-4). */
function clockSkewMs(baseUrl: string, takenAt: Date, takenAtMs: number): number | null {
  const seen = serverDateOf(baseUrl);
  if (seen === null || seen.seenAtMs < takenAtMs) return null;
  return seen.dateMs - (takenAt.getTime() + seen.seenAtMs - takenAtMs);
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
  const opened = isComparable(before, sweep)
    ? await openReviews(tx, sweep, { before, seen, receiptId })
    : [];
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

interface Compared {
  readonly before: SweptRequest;
  readonly seen: PlatformRequest | null;
  readonly receiptId: string;
}

async function openReviews(
  tx: Tx,
  { due, connection }: Sweep,
  { before, seen, receiptId }: Compared,
): Promise<readonly string[]> {
  const { tenantId, ref } = due;
  const expiresAt = before.expiresAt?.toISOString() ?? null;
  const found = driftsOf({ ...before, expiresAt }, seen).map(({ reason, ...values }) => ({
    reason: reason as string,
    evidence: { receipt: receiptId, ...values } as object,
  }));
  const apart = await clocksApart(tx, tenantId, before, seen);
  if (apart !== null) {
    found.push({ reason: "clocks_disagree", evidence: { receipt: receiptId, ...apart } });
  }
  const owner = ownerFor("request", {
    proposer: null,
    approver: null,
    requestOwner: before.ownerAccountId && `account:${before.ownerAccountId}`,
    connectionOwner: connection.owner,
  });
  const opened: string[] = [];
  for (const { reason, evidence } of found) {
    const item = { requestRef: ref, reason, owner, evidence };
    if (await openRequestReview(tx, tenantId, item)) opened.push(reason);
  }
  return opened;
}

/** TM-1: a platform expiry further from the business deadline than the policy for extensions tolerates. */
async function clocksApart(
  tx: Tx,
  tenantId: string,
  before: SweptRequest,
  seen: PlatformRequest | null,
): Promise<object | null> {
  if (seen === null || isTerminal(seen.status)) return null;
  if (before.deadlineUnderWay || before.businessDeadlineAt === null) return null;
  const business = before.businessDeadlineAt.toISOString();
  const { toleranceMinutes } = (await presentPolicy(tx, tenantId, "extend")).policy;
  const apartMs = clocksApartMs(business, seen.expiresAt, toleranceMinutes);
  if (apartMs === null) return null;
  return {
    a: business,
    b: seen.expiresAt,
    apart_ms: apartMs,
    tolerance_minutes: toleranceMinutes,
  };
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
