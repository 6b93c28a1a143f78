import type { FormError } from "@/components/error-summary";
import { reasonProblem } from "@/lib/domain/reason-text";
import type { ProposeView } from "@/lib/queries/propose-page";

export interface FormProps {
  readonly tenant: string;
  readonly view: ProposeView;
}

/** What is wrong with the reason, as the server will find it too. */
export function reasonErrors(reason: string): readonly FormError[] {
  const sentence = reasonProblem(reason, { min: 1 });
  return sentence === null ? [] : [{ field: "reason", sentence }];
}

/** "2 signers". */
export function signersWords(count: number): string {
  return `${count} ${count === 1 ? "signer" : "signers"}`;
}
