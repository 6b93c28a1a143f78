import type { Policy } from "./policy";

/** What a tenant decided about signatures after the business deadline, inside a sentence (AP-2, IN-5). */
export const LATE_SIGNATURE_WORDS: Record<Policy["lateSignature"], string> = {
  refuse: "late signatures are refused",
  accept_with_review: "late signatures are accepted after a review",
  case_by_case: "late signatures are decided case by case",
};
