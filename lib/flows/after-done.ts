import { invariant } from "@/lib/domain/invariant";
import { isTerminal } from "@/lib/domain/observation";
import { typeOfEnd } from "@/lib/domain/outbox";
import type { ExtendPayload, SendPayload } from "@/lib/domain/payload";
import type { Verdict } from "@/lib/domain/verdict";
import type { Tx } from "@/lib/store/db";
import { moveMirror } from "@/lib/store/mirror";
import { writeOutbox } from "@/lib/store/outbox";
import { setReminderOwner } from "@/lib/store/reminder-owners";
import { newestOwnReading, replaceSigners, setRevision } from "@/lib/store/revisions";
import { wakeWorkers } from "@/lib/store/workers-wake";
import type { Pass } from "./pass";
import { planTimers, wantedTimers } from "./plan-timers";
import { recordContact } from "./record-contact";
import { voidWhatWasFound } from "./replace-request";
import { restoreTimers } from "./restore-timers";
import { settleReplacements } from "./settle-replacements";
import type { WorkerContext } from "./worker-context";

/**
 * What follows in the same transaction when a pass has brought its operation to a final state: timers are planned
 * from what was read or planned again (TM-3), contacts are recorded (RM-2), and a replacement that waited goes on or
 * to a person (ID-7). Every other outcome has no consequence here.
 */
export async function afterEnding(
  tx: Tx,
  context: WorkerContext,
  pass: Pass,
  verdict: Exclude<Verdict, { to: "act" }>,
): Promise<void> {
  if (verdict.to === "done") {
    await recordContact(tx, context, pass, true);
    return afterDone(tx, pass);
  }
  if (verdict.to === "obsolete" || verdict.to === "failed_terminal") {
    await afterNothing(tx, context, pass, verdict.reason);
  }
}

async function afterDone(tx: Tx, pass: Pass): Promise<void> {
  const { payload } = pass;
  switch (payload.kind) {
    case "send":
      return afterSend(tx, pass, payload);
    case "extend":
      return planExtended(tx, pass, payload);
    case "void":
      // The replacement is due already; only its void was missing.
      return wakeWorkers(tx);
    case "remind":
    case "resend":
    case "expire":
      return;
  }
}

/** The operation ended without an effect of its own: what it had taken the place of comes back. */
async function afterNothing(
  tx: Tx,
  context: WorkerContext,
  pass: Pass,
  reason: string,
): Promise<void> {
  const { tenantId, requestRef, opId } = pass.hand.claim;
  if (pass.payload.kind === "extend" && reason === "already_so") {
    return planExtended(tx, pass, pass.payload);
  }
  await settleReplacements(tx, { tenantId, requestRef });
  const count = await restoreTimers(tx, tenantId, requestRef);
  if (count > 0) {
    context.log.info({ event: "timers_restored", tenant: tenantId, op: opId, count });
  }
}

async function planExtended(tx: Tx, pass: Pass, payload: ExtendPayload): Promise<void> {
  const { tenantId, requestRef, opId } = pass.hand.claim;
  const { timers, target } = payload;
  const wanted = timers ? wantedTimers(timers, target.business_deadline) : [];
  const plan = { requestRef, planId: opId, approvedWithOpId: opId };
  await planTimers(tx, tenantId, plan, wanted);
}

async function afterSend(tx: Tx, pass: Pass, payload: SendPayload): Promise<void> {
  const { tenantId, requestRef, opId } = pass.hand.claim;
  if (await voidWhatWasFound(tx, tenantId, opId)) return;
  const shown = await newestOwnReading(tx, tenantId, opId);
  invariant(shown, "a send is done when a read has shown what it made");
  const { status, receiptId, platformRef } = shown;
  const { terminal } = pass.connection.descriptor;
  const isFinal = isTerminal(status) && terminal[status] === "final";
  const moved = await moveMirror(tx, tenantId, requestRef, { receiptId, platformRef, isFinal });
  await setRevision(tx, tenantId, requestRef, payload.revision);
  if (moved && isTerminal(status)) {
    const end = { requestRef, type: typeOfEnd(status), cause: { receipt: receiptId } };
    await writeOutbox(tx, tenantId, { ...end, released: true });
  }
  if (payload.replaces) await replaceSigners(tx, tenantId, requestRef, signersIn(payload));
  await setReminderOwner(tx, tenantId, {
    requestRef,
    owner: payload.reminders.owner,
    decidedBy: pass.proposedBy,
    opId,
  });
  const wanted = payload.timers ? wantedTimers(payload.timers, payload.business_deadline) : [];
  await planTimers(tx, tenantId, { requestRef, planId: opId, approvedWithOpId: opId }, wanted);
}

function signersIn({ signers }: SendPayload) {
  return signers.map(({ subject_ref: subjectRef, role, order, contact_digest: contactDigest }) => ({
    subjectRef,
    role,
    order,
    contactDigest,
  }));
}
