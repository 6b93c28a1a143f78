import type { ContactSource } from "@/lib/domain/contact";
import { calledAt, recordContacts } from "@/lib/store/contacts";
import type { Tx } from "@/lib/store/db";
import type { Pass } from "./pass";
import type { WorkerContext } from "./worker-context";

/**
 * Records that an operation reached its signers at the moment at which its newest call may have left; with `certain`
 * false, that nobody can tell whether it did: both count for the minimum interval (RM-2, RC-5). Does nothing for
 * kinds that tell signers nothing, and for an operation of which no call left.
 */
export async function recordContact(
  tx: Tx,
  context: WorkerContext,
  pass: Pass,
  certain: boolean,
): Promise<void> {
  const { tenantId, requestRef, opId } = pass.hand.claim;
  const subjectRefs = contactedBy(pass);
  const at = subjectRefs.length === 0 ? null : await calledAt(tx, tenantId, opId);
  if (at === null) return;
  await recordContacts(tx, tenantId, {
    requestRef,
    subjectRefs,
    source: sourceOf(pass.proposedBy),
    opId,
    at,
    certain,
    recordedBy: `worker:${context.worker.name}`,
  });
}

function contactedBy({ target, payload }: Pass): readonly string[] {
  if (target.kind === "reminded" || target.kind === "resent") return target.subjectRefs;
  return payload.kind === "send" ? payload.signers.map((signer) => signer.subject_ref) : [];
}

/** Who made the contact, by who proposed the operation: a plan, a program or a person. */
function sourceOf(proposedBy: string): ContactSource {
  if (proposedBy.startsWith("policy:")) return "automatic";
  return proposedBy.startsWith("key:") ? "agent" : "manual";
}
