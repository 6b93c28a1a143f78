import { type ContactSource, newestOf, possibleFrom } from "@/lib/domain/contact";
import type { Policy } from "@/lib/domain/policy";
import type { Tx } from "@/lib/store/db";
import { signedSigners } from "@/lib/store/signed-signers";
import type { RequestHead } from "./request-head";
import { type RequestSigner, signersOf } from "./request-signers";

/** A signer with what counts for the next reminder (RM-2). */
export interface ContactedSigner extends RequestSigner {
  /** True when the newest read shows that this signer has signed. */
  readonly signed: boolean;
  readonly last: { readonly at: string; readonly by: ContactSource } | null;
  /** From when on a reminder is possible again; null when it is now. */
  readonly possibleAt: string | null;
}

/** The signers of a request with the last contact about it, by whomever, and when the next may follow. */
export async function contactedSigners(
  tx: Tx,
  tenantId: string,
  request: RequestHead,
  { minIntervalHours }: Policy,
): Promise<ContactedSigner[]> {
  const signed = await signedSigners(tx, tenantId, request.receiptId);
  const rows = await tx.$queryRaw<{ subjectRef: string; at: Date; source: ContactSource }[]>`
    SELECT DISTINCT ON (subject_ref) subject_ref AS "subjectRef", at, source FROM signer_contacts
    WHERE tenant_id = ${tenantId}::uuid AND request_ref = ${request.ref}
    ORDER BY subject_ref, at DESC`;
  const known = new Map(rows.map((row) => [row.subjectRef, row]));
  const shownAt = request.lastReminderAt === null ? null : new Date(request.lastReminderAt);
  const now = new Date(request.now);
  const signers = await signersOf(tx, tenantId, request.ref);
  return signers.map((signer) => {
    const last = newestOf(known.get(signer.subjectRef) ?? null, shownAt);
    const possible = possibleFrom(last, minIntervalHours, now);
    return {
      ...signer,
      signed: signed.has(signer.subjectRef),
      last: last && { at: last.at.toISOString(), by: last.source },
      possibleAt: possible?.toISOString() ?? null,
    };
  });
}
