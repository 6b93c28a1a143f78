import { invariant } from "@/lib/domain/invariant";
import { Refusal } from "@/lib/domain/refusal";
import { personBehind } from "@/lib/store/approvals";
import { asTenant, type Tx } from "@/lib/store/db";
import { endUnsent, lockOperations, type ProposalRow, proposalById } from "@/lib/store/proposals";
import { withdrawCarried } from "@/lib/store/replacements";
import { lockRequest } from "@/lib/store/requests";
import { storeText, textSubjectOf } from "@/lib/store/vault";
import { refuseDecided } from "./already-decided";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";
import { restoreTimers } from "./restore-timers";
import { settleReplacements } from "./settle-replacements";
import { typedReason } from "./typed-reason";

export interface Ended {
  readonly opId: string;
  readonly state: "obsolete";
}

export interface Withdrawal {
  readonly opId: string;
  readonly reason: string;
}

/**
 * Takes back what one proposed or edited oneself, also after it was approved, as long as no call ever left for it
 * (RC-8). Throws Refusal `not_permitted` for another person's, and what says what became of it when it is too late.
 */
export async function withdraw(
  ctx: ConsoleContext,
  actor: Actor,
  { opId, reason }: Withdrawal,
): Promise<Ended> {
  const person = permitPerson(actor, "operation.edit");
  typedReason(reason);
  const { tenantId } = actor;
  return asTenant(ctx.db, tenantId, async (tx) => {
    const operation = await lockedOperation(tx, tenantId, opId);
    if (!(await wrote(tx, tenantId, operation, person.accountId)))
      throw new Refusal("not_permitted");
    // A second click is answered like the first (AP-4).
    if (operation.reason === "withdrawn") return { opId, state: "obsolete" };
    if (operation.state !== "scheduled") await refuseDecided(tx, operation);
    const subject = textSubjectOf(tenantId, operation.requestRef);
    const kept = await storeText(tx, { tenantId, vaultKey: ctx.vaultKey }, subject, reason);
    const ended = await endUnsent(tx, {
      tenantId,
      opId,
      reason: "withdrawn",
      actor: actorName(actor),
      evidence: JSON.stringify({ reason: kept }),
    });
    if (!ended) throw new Refusal("operation_moved_on", { values: { state: operation.state } });
    await afterWithdrawal(tx, actor, operation);
    return { opId, state: "obsolete" };
  });
}

/**
 * What its approval carried ends with it, what it had taken the place of comes back, and what waited for it is settled
 * (TM-3, ID-7).
 */
async function afterWithdrawal(
  tx: Tx,
  actor: Actor,
  { opId, requestRef }: ProposalRow,
): Promise<void> {
  const { tenantId } = actor;
  await withdrawCarried(tx, tenantId, opId, actorName(actor));
  await settleReplacements(tx, { tenantId, requestRef });
  await restoreTimers(tx, tenantId, requestRef);
}

/** The operation, locked after its request (C-09). Throws Refusal `not_found`. */
export async function lockedOperation(
  tx: Tx,
  tenantId: string,
  opId: string,
): Promise<ProposalRow> {
  const seen = await proposalById(tx, tenantId, opId);
  if (!seen) throw new Refusal("not_found");
  await lockRequest(tx, tenantId, seen.requestRef);
  await lockOperations(tx, tenantId, seen.requestRef, [opId]);
  const operation = await proposalById(tx, tenantId, opId);
  invariant(operation, "an operation is never deleted");
  return operation;
}

async function wrote(
  tx: Tx,
  tenantId: string,
  { proposedBy, editedBy }: ProposalRow,
  accountId: string,
): Promise<boolean> {
  for (const author of [proposedBy, editedBy]) {
    if (author !== null && (await personBehind(tx, tenantId, author)) === accountId) return true;
  }
  return false;
}
