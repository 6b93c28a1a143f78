import type { RequestStatus } from "./observation";
import { isTerminal } from "./observation";
import { type Policy, policyLetsApprove } from "./policy";
import type { Role } from "./role";

/** People who stand behind a proposal, as account ids. A key stands for the person who made it. */
export interface Authors {
  readonly proposer: string | null;
  readonly lastEditor: string | null;
}

/**
 * Whether a person may decide on a proposal (AP-2): null when yes. Four eyes counts people, so the proposer, the
 * last editor and the maker of the proposing key are all turned away.
 */
export function approverProblem(
  policy: Policy,
  authors: Authors,
  person: { readonly accountId: string; readonly role: Role },
): "not_permitted" | "same_person" | null {
  if (!policyLetsApprove(policy, person.role)) return "not_permitted";
  if (!policy.fourEyes) return null;
  const wrote = [authors.proposer, authors.lastEditor];
  return wrote.includes(person.accountId) ? "same_person" : null;
}

/** What was on the approver's screen, and what is stored now (AP-1). */
export interface ShownVersion {
  readonly version: number;
  readonly hash: string;
}

/** True when the very version and bytes on screen are the stored ones; equal bytes of a newer version are not. */
export function sameVersion(shown: ShownVersion, stored: ShownVersion): boolean {
  return shown.version === stored.version && shown.hash === stored.hash;
}

/** A request's state as far as approving it depends on it. Instants are RFC 3339 in UTC. */
export interface RequestState {
  readonly status: RequestStatus | null;
  readonly expiresAt: string | null;
}

export interface StateChange {
  readonly field: "status" | "expires_at";
  readonly old: string;
  readonly new: string;
}

const NEVER = "unread";

/**
 * What changed about the request since it was approved on screen; null when nothing did (AP-1, C-30). `shown` is
 * the read that was on screen, `expected` the basis in the payload, `now` the newest authoritative state. An open
 * status that moved on since the proposal is no change once the screen showed it: the worker takes it for none
 * either (PL-5). An expiry that is not the payload's would only be quarantined later, so it counts always.
 */
export function stateChange(
  expected: RequestState,
  shown: RequestState | null,
  now: RequestState,
): StateChange | null {
  const basis = shown ?? expected;
  if (basis.status !== now.status) return changed("status", basis.status, now.status);
  if (now.status !== null && isTerminal(now.status) && expected.status !== now.status) {
    return changed("status", expected.status, now.status);
  }
  if (expected.expiresAt !== now.expiresAt) {
    return changed("expires_at", expected.expiresAt, now.expiresAt);
  }
  return null;
}

/**
 * Whether another expiry than the approved basis matters for this kind (PL-5): a reminder and a void ask only whether
 * the request is open.
 */
export function comparesExpiry(kind: string): boolean {
  return kind !== "remind" && kind !== "void";
}

function changed(field: StateChange["field"], old: string | null, now: string | null): StateChange {
  return { field, old: old ?? NEVER, new: now ?? NEVER };
}
