import { decisionFactsOf, type Matter } from "@/lib/domain/decision-matter";
import { decisionOptions, optionAmong } from "@/lib/domain/decision-options";
import { overriddenMove } from "@/lib/domain/decision-verdict";
import { loadConnection } from "@/lib/store/connections";
import { asTenant, type Tx } from "@/lib/store/db";
import { loadMatter, lockItem } from "@/lib/store/decision-matter";
import { markSecondPerson } from "@/lib/store/decisions";
import {
  type DecisionEnd,
  endDecision,
  putOff,
  reserveRead,
  type TakenDecision,
  takeDecisions,
} from "@/lib/store/decisions-taken";
import { lockOperations } from "@/lib/store/proposals";
import { mayRead, takeReadTurn } from "@/lib/store/read-budget";
import { lockRequest } from "@/lib/store/requests";
import { recordAct } from "@/lib/store/review-acts";
import { carryOut } from "./carry-out-decision";
import { judgeDecision } from "./judge-decision";
import { passOf, type ReadBasis, readFor } from "./read-for-decision";
import type { Reading } from "./read-platform";
import type { WorkerContext } from "./worker-context";

const BATCH = 10;

/**
 * Works decisions of people (RV-3): reads the platform afresh within the read budget and carries the decision out when
 * the read agrees; otherwise nothing is decided and the difference is kept. Returns how many it took.
 */
export async function settleDecisions(context: WorkerContext): Promise<number> {
  const taken = await takeDecisions(context.owner, BATCH);
  await Promise.all(taken.map((one) => settleOne(context, one)));
  return taken.length;
}

async function settleOne(context: WorkerContext, taken: TakenDecision): Promise<void> {
  const { tenantId } = taken;
  if (taken.outcome === "confirming") {
    await asTenant(context.db, tenantId, (tx) => carryOverride(tx, context, taken));
    return;
  }
  const basis = await asTenant(context.db, tenantId, (tx) => prepare(tx, context, taken));
  if (basis === null) return;
  const reading = taken.needsRead ? await readFor(context, basis, taken) : null;
  await asTenant(context.db, tenantId, (tx) => settle(tx, context, taken, reading));
}

/** What to read; null when the decision came to an end or was put off instead. */
async function prepare(
  tx: Tx,
  context: WorkerContext,
  taken: TakenDecision,
): Promise<ReadBasis | null> {
  const { tenantId, connectionId, selectionId } = taken;
  const matter = await stillOpen(tx, taken);
  if (matter === null) return null;
  if (taken.needsRead && connectionId !== null) {
    await takeReadTurn(tx, tenantId, connectionId);
    const budget = await mayRead(tx, tenantId, connectionId, "operation");
    if (!budget.may && selectionId !== null) {
      await putOff(tx, taken, budget.freeAt);
      return null;
    }
    if (!budget.may) {
      await end(tx, taken, { outcome: "budget_empty", possibleAt: budget.freeAt });
      return null;
    }
    await reserveRead(tx, taken);
  }
  return basisOf(tx, context, taken, matter);
}

/** The item, if it still waits for this decision and the option is still open; otherwise the decision ends. */
async function stillOpen(tx: Tx, taken: TakenDecision): Promise<Matter | null> {
  const { tenantId, itemId, option, decidedRole } = taken;
  const matter = await loadMatter(tx, tenantId, itemId);
  if (matter !== null && matter.closedAt === null && matter.settledAt === null) {
    const options = decisionOptions(decisionFactsOf(matter, decidedRole));
    if (optionAmong(options, option)?.open) return matter;
  }
  await end(tx, taken, { outcome: "moved_on" });
  return null;
}

async function basisOf(
  tx: Tx,
  context: WorkerContext,
  { tenantId, connectionId }: TakenDecision,
  matter: Matter,
): Promise<ReadBasis> {
  const pass = await passOf(tx, context, tenantId, matter);
  const own = connectionId === null ? null : await loadConnection(tx, tenantId, connectionId);
  return { matter, pass, connection: pass?.connection ?? own };
}

/** The request, then its operation, then the item: everybody locks in this order (C-09). */
async function lockMatter(tx: Tx, { tenantId, itemId, opId }: TakenDecision): Promise<void> {
  const seen = await loadMatter(tx, tenantId, itemId);
  if (seen?.request) {
    await lockRequest(tx, tenantId, seen.request.ref);
    if (opId !== null) await lockOperations(tx, tenantId, seen.request.ref, [opId]);
  }
  await lockItem(tx, tenantId, itemId);
}

async function settle(
  tx: Tx,
  context: WorkerContext,
  taken: TakenDecision,
  reading: Reading | null,
): Promise<void> {
  await lockMatter(tx, taken);
  const matter = await stillOpen(tx, taken);
  if (matter === null) return;
  const basis = await basisOf(tx, context, taken, matter);
  const judged = await judgeDecision(tx, taken, basis, reading);
  const { verdict, receiptId, difference } = judged;
  switch (verdict.kind) {
    case "agrees": {
      const observation = reading?.observation ?? null;
      await carryOut(tx, context, { taken, basis, move: verdict.move, observation, receiptId });
      return;
    }
    case "disagrees":
      await end(tx, taken, {
        outcome: "refused_by_read",
        shows: verdict.shows,
        difference: JSON.stringify(difference),
        receiptId,
      });
      return;
    case "unreadable":
      await end(tx, taken, { outcome: "unreadable", receiptId });
  }
}

async function end(tx: Tx, taken: TakenDecision, how: Omit<DecisionEnd, "from">): Promise<void> {
  const { tenantId, itemId, id, option } = taken;
  if (!(await endDecision(tx, tenantId, id, { ...how, from: taken.outcome }))) return;
  await recordAct(tx, tenantId, {
    itemId,
    actor: `account:${taken.decidedBy}`,
    act: "decided",
    detail: {
      decision: id,
      option,
      outcome: how.outcome,
      ...(how.shows ? { shows: how.shows } : {}),
      ...(how.receiptId ? { receipt: how.receiptId } : {}),
    },
    note: null,
  });
}

/** Two people have confirmed it against a read: it is carried out as not proven (RV-3). */
async function carryOverride(tx: Tx, context: WorkerContext, taken: TakenDecision): Promise<void> {
  await lockMatter(tx, taken);
  const matter = await stillOpen(tx, taken);
  if (matter === null) {
    await markSecondPerson(tx, taken.tenantId, taken.itemId, false);
    return;
  }
  const basis = await basisOf(tx, context, taken, matter);
  const move =
    matter.operation !== null && taken.family === "operation"
      ? overriddenMove(taken.option, taken.kept)
      : null;
  await carryOut(tx, context, { taken, basis, move, observation: null, receiptId: null });
}
