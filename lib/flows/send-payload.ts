import type { BusinessDeadline } from "@/lib/domain/business-deadline";
import type { ApprovedTimers, PayloadSigner, Replaces, SendPayload } from "@/lib/domain/payload";
import { Refusal } from "@/lib/domain/refusal";
import type { Tx } from "@/lib/store/db";
import {
  contactDigest,
  presentContactDigest,
  signerSubjectOf,
  storeContact,
  storeText,
  textSubjectOf,
  type VaultEntryRef,
  type VaultScope,
} from "@/lib/store/vault";
import { isErased } from "@/lib/store/vault-rows";
import type { SendWish, WishedSigner } from "./propose-send";

/** The revision of a send: 1 unless it corrects an earlier one, which is a decision of its own (ID-7). */
export function revisionOf({ replaces }: Pick<SendWish, "replaces">): number {
  return replaces?.revision ?? 1;
}

/**
 * The signers of a wish as payloads hold them; new people get into the vault, under references that the approval id
 * gives, so that a repeated wish names the same ones (ID-1, ID-5). Such a repeat is only compared: it must not put
 * older details over newer ones. Throws Refusal `fields_unusable` for a reference that the vault does not know.
 */
export async function wishedSigners(
  tx: Tx,
  scope: VaultScope,
  { approvalId, signers }: SendWish,
  isNew: boolean,
): Promise<PayloadSigner[]> {
  const found: PayloadSigner[] = [];
  for (const [place, signer] of signers.entries()) {
    const { role, order } = signer;
    const subjectRef =
      "subjectRef" in signer
        ? signer.subjectRef
        : signerSubjectOf(scope.tenantId, approvalId, place);
    const digest = await digestOf(tx, scope, signer, subjectRef, isNew);
    if (digest === null) {
      const path = `signers.${place}.subjectRef`;
      const fields = [{ path, sentence: "Nobody of this reference is in the vault." }];
      throw new Refusal("fields_unusable", { fields });
    }
    found.push({ subject_ref: subjectRef, role, order, contact_digest: digest });
  }
  return found;
}

/** Title and message of a wish, kept in the vault under the request's own subject (PV-3). */
export async function wishedTexts(
  tx: Tx,
  scope: VaultScope,
  { requestRef, title, message }: SendWish,
): Promise<{ title: VaultEntryRef; message: VaultEntryRef | null }> {
  const subject = textSubjectOf(scope.tenantId, requestRef);
  return {
    title: await storeText(tx, scope, subject, title),
    message: message ? await storeText(tx, scope, subject, message) : null,
  };
}

/** What the server adds to the wish of a send. */
export interface SendCircumstances {
  readonly owner: "platform" | "application";
  /** Null only for a wish that was proposed before there were timers. */
  readonly timers: ApprovedTimers | null;
  /** Null for the first send of a request (ID-7). */
  readonly replaces: Replaces | null;
}

/** The payload of a send (ID-4). */
export function sendPayload(
  wish: SendWish,
  deadline: BusinessDeadline,
  signers: PayloadSigner[],
  texts: { readonly title: VaultEntryRef; readonly message: VaultEntryRef | null },
  { owner, timers, replaces }: SendCircumstances,
): SendPayload {
  return {
    schema: 1,
    kind: "send",
    request_ref: wish.requestRef,
    connection_id: wish.connectionId,
    supersedes_op_id: wish.replaces?.supersedesOpId ?? null,
    revision: revisionOf(wish),
    documents: wish.documents.map(({ digest, version }) => ({ digest, version })),
    template: wish.template ?? null,
    merge_fields: [],
    signers,
    routing: wish.routing ?? "parallel",
    placement: [],
    signature_policy: wish.signaturePolicy ?? "standard",
    expires_at: deadline.instant,
    business_deadline: deadline,
    reminders: { owner, interval_days: wish.reminders.intervalDays ?? null },
    message: texts.message,
    title: texts.title,
    ...(timers ? { timers } : {}),
    ...(replaces ? { replaces } : {}),
  };
}

async function digestOf(
  tx: Tx,
  scope: VaultScope,
  signer: WishedSigner,
  subjectRef: string,
  isNew: boolean,
): Promise<string | null> {
  if ("subjectRef" in signer) return presentContactDigest(tx, scope.tenantId, subjectRef);
  const contact = { name: signer.name, email: signer.email };
  // The same approval again after its people were erased: it stays closed (ID-8).
  if (await isErased(tx, scope.tenantId, subjectRef)) throw new Refusal("identity_retired");
  // Somebody who was not in the first wish has no keys yet: storing is undone with the refusal that follows.
  const known = isNew ? null : await contactDigest(tx, scope, subjectRef, contact);
  return known ?? (await storeContact(tx, scope, subjectRef, contact)).digest;
}
