import type { PayloadSigner } from "@/lib/domain/payload";
import { Refusal } from "@/lib/domain/refusal";
import { signedSigners } from "@/lib/store/signed-signers";
import type { ChangePayload } from "./change-basis";
import type { Proposing } from "./change-proposal";

/**
 * Whom a reminder or resend reaches: the chosen signers in their signing order, or, where none are named, all who
 * may still sign (RM-3). Throws Refusal: `everybody_signed` when nobody is left, `fields_unusable` for somebody who
 * is none of this request's signers or has signed.
 */
export async function chosenSigners<P extends ChangePayload & { signers: PayloadSigner[] }>(
  { tx, actor, request, head, earlier }: Proposing<P>,
  chosen: readonly string[] | null,
): Promise<PayloadSigner[]> {
  const all = head.expected.signers;
  if (chosen !== null) refuseStrangers(all, chosen);
  if (earlier !== null) {
    return chosen === null ? earlier.signers : picked(all, chosen);
  }
  const signed = await signedSigners(tx, actor.tenantId, request.mirrorReceiptId);
  const left = all.filter(({ subject_ref: subjectRef }) => !signed.has(subjectRef));
  if (left.length === 0) throw new Refusal("everybody_signed");
  if (chosen === null) return left;
  if (chosen.some((subjectRef) => signed.has(subjectRef))) {
    throw unusable("This signer has signed already.");
  }
  return picked(all, chosen);
}

/** Throws Refusal `fields_unusable` where the platform contacts all who may still sign and fewer were chosen. */
export async function refuseSome<P extends ChangePayload & { signers: PayloadSigner[] }>(
  { tx, actor, request, head }: Proposing<P>,
  { signers }: P,
): Promise<void> {
  const signed = await signedSigners(tx, actor.tenantId, request.mirrorReceiptId);
  const left = head.expected.signers.filter(({ subject_ref: ref }) => !signed.has(ref));
  if (signers.length >= left.length) return;
  throw unusable("This platform contacts everybody who has not signed. Choose all of them.");
}

function refuseStrangers(all: readonly PayloadSigner[], chosen: readonly string[]): void {
  const known = new Set(all.map(({ subject_ref: subjectRef }) => subjectRef));
  if (chosen.length > 0 && chosen.every((subjectRef) => known.has(subjectRef))) return;
  throw unusable("Choose from the signers of this request.");
}

function picked(all: readonly PayloadSigner[], chosen: readonly string[]): PayloadSigner[] {
  return all.filter(({ subject_ref: subjectRef }) => chosen.includes(subjectRef));
}

/** True when both reach the same people. */
export function samePeople(
  left: { readonly signers: readonly PayloadSigner[] },
  right: { readonly signers: readonly PayloadSigner[] },
): boolean {
  const names = ({ signers }: typeof left) =>
    signers.map(({ subject_ref: ref }) => ref).sort((one, two) => one.localeCompare(two));
  return names(left).join() === names(right).join();
}

function unusable(sentence: string): Refusal {
  return new Refusal("fields_unusable", { fields: [{ path: "subjectRefs", sentence }] });
}
