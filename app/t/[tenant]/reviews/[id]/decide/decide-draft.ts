import type { DecisionCode, DecisionOption } from "@/lib/domain/decision";
import { reasonProblem } from "@/lib/domain/reason-text";

export type Step = 1 | 2 | 3 | 4;

/** What was chosen and typed so far. The reason stays in the history, so it holds no personal data. */
export interface DecideDraft {
  readonly option: DecisionCode | null;
  /** The platform's reference that is kept or was found by hand. */
  readonly kept: string;
  /** References that carry a signature and shall be voided all the same, each typed by hand. */
  readonly voidsTyped: readonly string[];
  readonly reason: string;
}

export const NO_DRAFT: DecideDraft = { option: null, kept: "", voidsTyped: [], reason: "" };

/** What is wrong with the first step; null when one may go on. */
export function choiceProblem(option: DecisionOption | null, draft: DecideDraft): string | null {
  if (option === null) return "Choose what is to be recorded.";
  if (!option.open) return "This is not possible any more. Choose again.";
  if (option.reference === "choose" && draft.kept === "") return "Choose the one to keep.";
  if (option.reference === "enter" && draft.kept.trim() === "") {
    return "Enter the platform's reference that you found.";
  }
  return null;
}

/** The step that may be shown: never one whose steps before it are not done. */
export function reachable(asked: number, option: DecisionOption | null, draft: DecideDraft): Step {
  if (asked <= 1 || choiceProblem(option, draft) !== null) return 1;
  if (asked === 2) return 2;
  return asked === 3 || reasonProblem(draft.reason) !== null ? 3 : 4;
}
