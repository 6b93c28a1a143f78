import type { ContactSource } from "@/lib/domain/contact";
import { recordContacts } from "@/lib/store/contacts";
import { ledgerNow, type Tx } from "@/lib/store/db";
import type { Pass } from "./pass";
import type { WorkerContext } from "./worker-context";

/**
 * Records that a reminder or a resend reached its signers, or, with `certain` false, that nobody can tell whether it
 * did: both count for the minimum interval (RM-2, RC-5). Does nothing for other kinds.
 */
export async function recordContact(
  tx: Tx,
  context: WorkerContext,
  pass: Pass,
  certain: boolean,
): Promise<void> {
  const { target } = pass;
  if (target.kind !== "reminded" && target.kind !== "resent") return;
  const { tenantId, requestRef, opId } = pass.hand.claim;
  await recordContacts(tx, tenantId, {
    requestRef,
    subjectRefs: target.subjectRefs,
    source: sourceOf(pass.proposedBy),
    opId,
    at: await ledgerNow(tx),
    certain,
    recordedBy: `worker:${context.worker.name}`,
  });
}

/** Who made the contact, by who proposed the operation: a plan, a program or a person. */
function sourceOf(proposedBy: string): ContactSource {
  if (proposedBy.startsWith("policy:")) return "automatic";
  return proposedBy.startsWith("key:") ? "agent" : "manual";
}
