import { type ContactSource, newestOf, possibleFrom } from "@/lib/domain/contact";
import type { SentenceFacts } from "@/lib/domain/operation-sentence";
import { newestContact } from "@/lib/store/contacts";
import type { Tx } from "@/lib/store/db";
import { presentPolicy } from "@/lib/store/policies";
import { payloadOf } from "./payload-target";

interface SkippedReminder {
  readonly opId: string;
  readonly kind: string;
  readonly reason: string;
  readonly requestRef: string;
  readonly canonicalText: string;
}

/**
 * The contact that a reminder would have followed too soon, as the ledger knows it, with the moment from which one is
 * possible again by the present rule (RM-2); null for every other operation.
 */
export async function contactBefore(
  tx: Tx,
  tenantId: string,
  operation: SkippedReminder,
): Promise<NonNullable<SentenceFacts["contact"]> | null> {
  const payload = payloadOf(operation.canonicalText);
  if (operation.reason !== "skipped_too_soon" || payload?.kind !== "remind") return null;
  const subjects = payload.signers.map(({ subject_ref: subjectRef }) => subjectRef);
  const known = await newestContact(tx, tenantId, operation.requestRef, subjects);
  const receipt = await tx.readReceipt.findFirst({
    where: { tenantId, opId: operation.opId },
    orderBy: { startedAt: "desc" },
    select: { lastReminderAt: true },
  });
  const last: { at: Date; source: ContactSource } | null = newestOf(
    known,
    receipt?.lastReminderAt ?? null,
  );
  if (last === null) return null;
  const { policy } = await presentPolicy(tx, tenantId, "remind");
  const from = possibleFrom(last, policy.minIntervalHours, last.at);
  const possibleAt = (from ?? last.at).toISOString();
  return { at: last.at.toISOString(), by: last.source, possibleAt };
}
