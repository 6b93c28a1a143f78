import { reasonProblem } from "@/lib/domain/reason-text";
import { Refusal } from "@/lib/domain/refusal";

/**
 * A reason for a decision as a person typed it (RV-3): 10 to 2 000 characters without addresses, numbers or links, since
 * it stays in the history. Throws Refusal `reason_empty`, `personal_data` or `fields_unusable`.
 */
export function decisionReason(text: string): string {
  const sentence = reasonProblem(text);
  if (sentence === null) return text;
  const fields = [{ path: "reason", sentence }];
  if (text.trim() === "") throw new Refusal("reason_empty", { fields });
  if (reasonProblem(text, { min: 1, max: Number.POSITIVE_INFINITY }) === null) {
    throw new Refusal("fields_unusable", { fields });
  }
  throw new Refusal("personal_data", { fields });
}
