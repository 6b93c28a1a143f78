import type { DecidedMove } from "@/lib/domain/decision-verdict";
import { invariant } from "@/lib/domain/invariant";
import type { Observation } from "@/lib/domain/observation";
import type { Tx } from "@/lib/store/db";
import {
  closeItem,
  decideOperation,
  endDecision,
  type TakenDecision,
} from "@/lib/store/decisions-taken";
import { matchInboxEvents } from "@/lib/store/inbox-waiting";
import { recordAct } from "@/lib/store/review-acts";
import { wakeWorkers } from "@/lib/store/workers-wake";
import { afterEnding } from "./after-done";
import type { Pass } from "./pass";
import { proposeExtraVoids } from "./propose-extra-voids";
import type { ReadBasis } from "./read-for-decision";
import type { WorkerContext } from "./worker-context";

export interface Carried {
  readonly taken: TakenDecision;
  readonly basis: ReadBasis;
  readonly move: DecidedMove | null;
  /** What the read showed; null where none was needed or two people decided against it. */
  readonly observation: Observation | null;
  readonly receiptId: string | null;
}

/**
 * Carries out a decision in the caller's transaction, which holds item and operation locked (RV-3): the item closes,
 * the operation moves by the same conditional update as everywhere with its history entry, and what follows from its
 * end follows. Either all of it stands or nothing.
 */
export async function carryOut(tx: Tx, context: WorkerContext, carried: Carried): Promise<void> {
  const { taken, basis, move, observation, receiptId } = carried;
  const { tenantId, itemId, secondBy } = taken;
  const overridden = taken.outcome === "confirming";
  const closed = await closeItem(tx, tenantId, itemId, {
    status: overridden ? "closed_override" : "closed_proven",
    by: secondBy ?? taken.decidedBy,
    decisionId: taken.id,
  });
  invariant(closed, "an item that was locked open is still open");
  if (move !== null) await moveOperation(tx, context, carried, move);
  const { pass } = basis;
  const extra =
    taken.option === "keep_one" && pass?.payload.kind === "send" && observation !== null
      ? await proposeExtraVoids(tx, taken, pass, pass.payload, observation)
      : null;
  const ended = await endDecision(tx, tenantId, taken.id, {
    from: taken.outcome,
    outcome: overridden ? "overridden" : "proven",
    receiptId,
    ...(extra === null ? {} : { proposedOps: extra.proposed }),
  });
  invariant(ended, "a decision that was locked is still where it was taken");
  await tellClosed(tx, carried, extra?.left ?? []);
}

async function moveOperation(
  tx: Tx,
  context: WorkerContext,
  { taken, basis, receiptId }: Carried,
  move: DecidedMove,
): Promise<void> {
  const { operation } = basis.matter;
  const { pass } = basis;
  invariant(operation, "only a decision about an operation moves one");
  const took = await decideOperation(tx, {
    tenantId: taken.tenantId,
    opId: operation.opId,
    from: operation.state,
    fromReason: operation.reason,
    move,
    actor: `user:${taken.decidedBy}`,
    evidence: evidenceOf(taken, receiptId),
  });
  invariant(took, "an operation that was locked in its state is still there");
  if (pass !== null) await followMove(tx, context, pass, move);
}

/** What follows when an operation leaves the hands of a person, as at the end of every pass (TM-3, RM-2, IN-4). */
export async function followMove(
  tx: Tx,
  context: WorkerContext,
  pass: Pass,
  move: DecidedMove,
): Promise<void> {
  const { tenantId, connectionId } = pass.hand.claim;
  await afterEnding(tx, context, pass, move);
  const platformRef = move.platformRef ?? pass.hand.claim.platformRef;
  if (move.to === "done" && pass.payload.kind === "send" && platformRef !== null) {
    await matchInboxEvents(tx, tenantId, connectionId, platformRef);
  }
  // What it held on its request may go now (CL-4).
  await wakeWorkers(tx);
}

/** Codes, ids and digests only; what people typed stays in the vault (SM-3). */
function evidenceOf(taken: TakenDecision, receiptId: string | null): object {
  const first = { decision: taken.id, option: taken.option, role: taken.decidedRole };
  const reason = { ref: taken.reasonRef, digest: taken.reasonDigest };
  const receipt = receiptId ?? taken.receiptId;
  if (taken.secondBy === null) return { ...first, reason, receipt };
  return {
    ...first,
    reason,
    receipt,
    override: {
      by: `user:${taken.secondBy}`,
      role: taken.secondRole,
      digest: taken.secondReasonDigest,
    },
  };
}

async function tellClosed(
  tx: Tx,
  { taken, move, receiptId }: Carried,
  left: readonly string[],
): Promise<void> {
  const actor = `account:${taken.secondBy ?? taken.decidedBy}`;
  await recordAct(tx, taken.tenantId, {
    itemId: taken.itemId,
    actor,
    act: "closed",
    detail: {
      decision: taken.id,
      option: taken.option,
      outcome: taken.secondBy === null ? "proven" : "overridden",
      receipt: receiptId ?? taken.receiptId,
      to: move?.to ?? null,
      ...(left.length === 0 ? {} : { left: [...left] }),
    },
    note: null,
  });
}
