import { HUMAN_STATES, type OperationState } from "./operation";

/** Items of one family are decided alike. */
export type DecisionFamily =
  /** An operation that waits for a person. */
  | "operation"
  /** Several requests carry the reference of an operation that is settled (SM-5). */
  | "extra_request"
  /** Something was found about an operation that has gone on or ended. */
  | "late_evidence"
  /** Request and platform differ while nothing is in flight (RC-7, IN-5). */
  | "drift"
  /** Something at the platform has to be put right by a person. */
  | "setting"
  | "late_signature"
  | "zone_rules"
  /** An event that was recorded and not applied (IN-4, IN-8). */
  | "input"
  /** A subscriber that does not take what it is sent (OB-1). */
  | "delivery"
  /** Everything that can only be looked into and recorded. */
  | "notice";

/** What an item is about, as far as its family depends on it. */
export interface ItemSubject {
  readonly reason: string;
  /** Where its operation stands now; null for items without one. */
  readonly operation: { readonly state: OperationState; readonly reason: string } | null;
  readonly hasRequest: boolean;
  readonly hasEvent: boolean;
  readonly hasSubscriber: boolean;
}

const DRIFT: readonly string[] = [
  "drift_status",
  "drift_expiry",
  "drift_missing",
  "drift_extra",
  "contradicting_end",
];
const SETTINGS: readonly string[] = ["platform_also_reminds", "clocks_disagree"];

/** Which options an item knows (RV-3): by what it is about, its reason, and the state of its operation. */
export function familyOf(item: ItemSubject): DecisionFamily {
  const { operation, reason } = item;
  if (operation !== null) {
    const waits = (HUMAN_STATES as readonly OperationState[]).includes(operation.state);
    if (waits && operation.reason === reason) return "operation";
    // Nothing of it was sent, and no approval can send it any more (PV-3).
    if (reason === "contact_erased" && operation.state === "proposed") return "operation";
    return reason === "possible_duplicate" ? "extra_request" : "late_evidence";
  }
  if (item.hasSubscriber) return "delivery";
  if (item.hasEvent && !item.hasRequest) return "input";
  if (!item.hasRequest) return "notice";
  if (reason === "zone_rules_changed") return "zone_rules";
  if (reason === "signed_after_deadline") return "late_signature";
  if (DRIFT.includes(reason)) return "drift";
  return SETTINGS.includes(reason) ? "setting" : "notice";
}
