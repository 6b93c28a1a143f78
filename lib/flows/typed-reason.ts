import { REASON_LENGTH_MAX, reasonProblem } from "@/lib/domain/reason-text";
import { Refusal } from "@/lib/domain/refusal";

/**
 * A reason as a person typed it, unchanged, once it is fit for the vault. Throws Refusal `reason_empty`, or
 * `personal_data` for an address, link or phone number, which has no place in a reason (PV-4).
 */
export function typedReason(text: string, path = "reason"): string {
  const sentence = reasonProblem(text, { min: 1 });
  if (sentence === null) return text;
  const fields = [{ path, sentence }];
  if (text.trim() === "") throw new Refusal("reason_empty", { fields });
  if ([...text.trim()].length > REASON_LENGTH_MAX) throw new Refusal("fields_unusable", { fields });
  throw new Refusal("personal_data", { fields });
}
