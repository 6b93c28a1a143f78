import {
  absenceOf,
  decisionFactsOf,
  lookPhaseOf,
  type Matter,
  subjectOf,
} from "@/lib/domain/decision-matter";
import { settledByRead } from "@/lib/domain/decision-verdict";
import { invariant } from "@/lib/domain/invariant";
import { asTenant, type Tx } from "@/lib/store/db";
import { loadMatter } from "@/lib/store/decision-matter";
import { decideOperation } from "@/lib/store/decisions-taken";
import { lockOperations } from "@/lib/store/proposals";
import { mayRead } from "@/lib/store/read-budget";
import { lockRequest } from "@/lib/store/requests";
import { type DueReading, setNextReading, takeDueReadings } from "@/lib/store/review-readings";
import { followMove } from "./carry-out-decision";
import { keepDecisionReading, passOf, type ReadBasis, readFor } from "./read-for-decision";
import type { Reading } from "./read-platform";
import type { WorkerContext } from "./worker-context";

const BATCH = 8;
/** Between two reads of what waits for a person, while nothing points to a change. Milliseconds. */
const GAP_MS = 3_600_000;
/** After a read that was not answered. */
const LATER_MS = 600_000;

/**
 * Goes on reading what waits for a person (RC-4, RV-1): when the platform has answered the question by itself the
 * operation ends by that read, and the item stays as "settled by a read" until its owner has seen it. What has a
 * successor ends here once nothing of it can land any more (ID-7). Reads come after those for operations (PL-7) and
 * nothing is ever changed at a platform. Returns how many had their turn.
 */
export async function settleByRead(context: WorkerContext): Promise<number> {
  const due = await takeDueReadings(context.owner, BATCH);
  await Promise.all(due.map((one) => settleOne(context, one)));
  return due.length;
}

async function settleOne(context: WorkerContext, due: DueReading): Promise<void> {
  const { tenantId } = due;
  const basis = await asTenant(context.db, tenantId, (tx) => prepare(tx, context, due));
  if (basis === null) return;
  const reading = await readFor(context, basis, {
    kept: null,
    option: "replace",
    takenAt: due.takenAt,
  });
  await asTenant(context.db, tenantId, (tx) => settle(tx, context, due, reading));
}

async function prepare(
  tx: Tx,
  context: WorkerContext,
  { tenantId, itemId, connectionId, takenAt }: DueReading,
): Promise<ReadBasis | null> {
  const matter = await loadMatter(tx, tenantId, itemId);
  const pass = matter && (await passOf(tx, context, tenantId, matter));
  const readable = matter !== null && decisionFactsOf(matter, null).readable;
  if (!readable || pass === null || !isWaiting(matter)) {
    await setNextReading(tx, tenantId, itemId, null);
    return null;
  }
  const budget = await mayRead(tx, tenantId, connectionId, "sweep");
  if (!budget.may) {
    await setNextReading(tx, tenantId, itemId, later(budget.freeAt, takenAt));
    return null;
  }
  return { matter, pass, connection: pass.connection };
}

function later(freeAt: Date, now: Date): Date {
  return new Date(Math.max(freeAt.getTime(), now.getTime() + LATER_MS));
}

function isWaiting({ operation, reason, closedAt, settledAt }: Matter): boolean {
  if (operation === null || closedAt !== null || settledAt !== null) return false;
  const { state } = operation;
  return (state === "quarantined" || state === "needs_review") && operation.reason === reason;
}

async function settle(
  tx: Tx,
  context: WorkerContext,
  { tenantId, itemId, takenAt }: DueReading,
  reading: Reading | null,
): Promise<void> {
  const seen = await loadMatter(tx, tenantId, itemId);
  invariant(seen?.request && seen.operation, "an item of an operation has its request");
  await lockRequest(tx, tenantId, seen.request.ref);
  await lockOperations(tx, tenantId, seen.request.ref, [seen.operation.opId]);
  const matter = await loadMatter(tx, tenantId, itemId);
  const pass = matter && (await passOf(tx, context, tenantId, matter));
  if (matter === null || pass === null || !isWaiting(matter) || reading === null) {
    await setNextReading(tx, tenantId, itemId, null);
    return;
  }
  const basis = { matter, pass, connection: pass.connection };
  const receipt = await keepDecisionReading(tx, tenantId, basis, null, reading);
  const settled = await settledOperation(tx, context, basis, reading, receipt);
  if (settled) return;
  const answered = reading.observation.kind === "read" || reading.observation.kind === "not_found";
  const next = takenAt.getTime() + (answered ? GAP_MS : LATER_MS);
  await setNextReading(tx, tenantId, itemId, new Date(Math.min(next, opensAtMs(matter, takenAt))));
}

/** What waits for proof of absence only is read again when that can be had, and not before (RC-8). */
function opensAtMs(matter: Matter, now: Date): number {
  const absence = absenceOf(matter);
  const waits = matter.operation?.successorOpId !== null && "fromMs" in absence;
  return waits && absence.fromMs > now.getTime() ? absence.fromMs : Number.POSITIVE_INFINITY;
}

async function settledOperation(
  tx: Tx,
  context: WorkerContext,
  { matter, pass }: ReadBasis,
  { observation, startedAt }: Reading,
  receipt: string | null,
): Promise<boolean> {
  const subject = subjectOf(matter, null);
  const { operation } = matter;
  if (subject === null || operation === null || pass === null) return false;
  const move = settledByRead(subject, lookPhaseOf(matter, startedAt.getTime()), observation);
  if (move === null) return false;
  const took = await decideOperation(tx, {
    tenantId: pass.hand.claim.tenantId,
    opId: operation.opId,
    from: operation.state,
    fromReason: operation.reason,
    move,
    actor: `worker:${context.worker.name}`,
    evidence: { receipt, settled_by: "read", successor: operation.successorOpId },
  });
  if (took) await followMove(tx, context, pass, move);
  return took;
}
