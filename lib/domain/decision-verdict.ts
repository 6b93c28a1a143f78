import type { CapabilityDescriptor } from "./capability";
import type { DecisionCode } from "./decision";
import { judgeLook } from "./judge-look";
import type { Observation, PlatformRequest } from "./observation";
import { isFinal, type OperationState } from "./operation";
import { finalStatus, showsExpiry } from "./reached";
import type { ReasonCode } from "./reason";
import type { JudgedOperation, LookPhase, Verdict } from "./verdict";

/** Where a decision leads an operation. */
export interface DecidedMove {
  readonly to: "done" | "obsolete" | "failed_terminal" | "scheduled" | "superseded";
  readonly reason: ReasonCode;
  readonly platformRef?: string;
}

/** What a fresh read means for a decision (RV-3). */
export type DecisionVerdict =
  /** It stands. `move` is null where no operation moves. */
  | { readonly kind: "agrees"; readonly move: DecidedMove | null }
  /** Nothing is decided. `shows` is what the read means instead, as the reason code of a look. */
  | { readonly kind: "disagrees"; readonly shows: ReasonCode }
  /** Nothing is decided: the platform gave no answer that could be compared. */
  | { readonly kind: "unreadable" };

/** An operation about which a person decides, as the judge sees it. */
export interface DecidedSubject {
  readonly operation: JudgedOperation;
  readonly state: OperationState;
  readonly descriptor: CapabilityDescriptor;
  /** What a send wants the platform to show of its expiry and signers; null for every other kind. */
  readonly sent: { readonly expiresAt: string; readonly signers: number } | null;
  /** The platform's reference that the person chose or entered; null where none was asked for. */
  readonly kept: string | null;
  /** The reference that a confirmed send has already. */
  readonly ownRef: string | null;
}

/**
 * What a fresh read means for a decision about an operation: the same judge as a reconciler's, without its bounds, so
 * that no person can prove what a look could not (RC-2, RC-3, RC-8). Pure.
 */
export function decisionVerdict(
  code: DecisionCode,
  subject: DecidedSubject,
  phase: LookPhase,
  observation: Observation,
): DecisionVerdict {
  if (observation.kind === "unreadable" || observation.kind === "declined") {
    return { kind: "unreadable" };
  }
  if (code === "keep_one") return keepsOne(subject, observation);
  if (code === "accept_platform" && observation.kind === "not_found") {
    return { kind: "disagrees", shows: "drift_missing" };
  }
  const entered = code === "applied" ? byHand(subject, observation) : null;
  if (entered) return entered;
  const { operation, descriptor } = subject;
  const patient = { ...operation, looks: 0, unknownForMs: 0 };
  const verdict = judgeLook(patient, phase, observation, descriptor);
  if (verdict.to === "act") return { kind: "unreadable" };
  return meaning(code, subject, verdict);
}

type Look = Exclude<Verdict, { to: "act" }>;

function meaning(code: DecisionCode, subject: DecidedSubject, look: Look): DecisionVerdict {
  const disagrees = { kind: "disagrees", shows: look.reason } as const;
  const absent = provesAbsent(look);
  switch (code) {
    case "applied":
      return look.to === "done"
        ? agrees({ to: "done", reason: "decided_applied", ...refOf(look) })
        : disagrees;
    case "not_needed":
      return look.to === "obsolete" || absent
        ? agrees({ to: "obsolete", reason: "decided_not_needed" })
        : disagrees;
    case "not_applied":
      return absent ? agrees({ to: "failed_terminal", reason: "decided_not_applied" }) : disagrees;
    case "schedule_again":
      return absent ? agrees({ to: "scheduled", reason: "rescheduled_by_decision" }) : disagrees;
    case "replace":
      return replaced(look, absent);
    case "keep_evidence":
      return contradicts(subject.state, look) ? disagrees : { kind: "agrees", move: null };
    default:
      return { kind: "agrees", move: null };
  }
}

/** ID-7: what was replaced ends `done` if it is found after all, otherwise `superseded` once absence is proven. */
function replaced(look: Look, absent: boolean): DecisionVerdict {
  if (look.to === "done") return agrees({ to: "done", reason: "effect_confirmed", ...refOf(look) });
  if (look.to === "obsolete") return agrees({ to: "obsolete", reason: look.reason });
  return absent
    ? agrees({ to: "superseded", reason: "superseded" })
    : { kind: "disagrees", shows: look.reason };
}

function agrees(move: DecidedMove): DecisionVerdict {
  return { kind: "agrees", move };
}

function refOf({ platformRef }: Look): { platformRef?: string } {
  return platformRef === undefined ? {} : { platformRef };
}

const REFUSED: readonly ReasonCode[] = [
  "credentials_refused",
  "template_missing",
  "setting_missing",
];

/** What a look says only when RC-8 let absence count, or when no call ever left. */
function provesAbsent({ to, reason }: Look): boolean {
  switch (to) {
    case "scheduled":
    case "superseded":
    case "failed_terminal":
      return true;
    case "needs_review":
      return REFUSED.includes(reason);
    default:
      return false;
  }
}

/** True when a read says the opposite of what the ledger has written down (SM-5). */
function contradicts(state: OperationState, look: Look): boolean {
  if (state === "done") return look.to !== "done" && look.to !== "obsolete";
  return isFinal(state) && look.to === "done";
}

type Answered = Exclude<Observation, { kind: "unreadable" } | { kind: "declined" }>;

function keepsOne(subject: DecidedSubject, observation: Answered): DecisionVerdict {
  const matches = observation.kind === "read" ? observation.matches : [];
  const kept = matches.find(({ platformRef }) => platformRef === subject.kept);
  if (!kept) return { kind: "disagrees", shows: "missing_at_platform" };
  if (isFinal(subject.state)) {
    return kept.platformRef === subject.ownRef
      ? { kind: "agrees", move: null }
      : { kind: "disagrees", shows: "possible_duplicate" };
  }
  return agrees({ to: "done", reason: "decided_applied", platformRef: kept.platformRef });
}

/**
 * A reference that a person found in the platform's own list: it must be free of another operation's reference and
 * show what was approved. Null where nothing was entered, so that the judge decides.
 */
function byHand(subject: DecidedSubject, observation: Answered): DecisionVerdict | null {
  if (subject.kept === null || subject.sent === null) return null;
  const [request] = observation.kind === "read" ? observation.matches : [];
  if (!request) return { kind: "disagrees", shows: "missing_at_platform" };
  const { platformRef } = request;
  return isWhatWasSent(request, subject, subject.sent)
    ? agrees({ to: "done", reason: "decided_applied", platformRef })
    : { kind: "disagrees", shows: "effect_differs" };
}

function isWhatWasSent(
  request: PlatformRequest,
  { operation, descriptor }: DecidedSubject,
  sent: NonNullable<DecidedSubject["sent"]>,
): boolean {
  if (request.clientReference !== null) return request.clientReference === operation.opId;
  return (
    request.signerCount === sent.signers &&
    (showsExpiry(request, sent.expiresAt, descriptor) || finalStatus(request, descriptor) !== null)
  );
}

/** Where an override leads an operation: never to a state that claims proof (RV-3, RC-8). Null where none moves. */
export function overriddenMove(code: DecisionCode, platformRef: string | null): DecidedMove | null {
  switch (code) {
    case "applied":
      return {
        to: "done",
        reason: "decided_applied_override",
        ...(platformRef === null ? {} : { platformRef }),
      };
    case "not_needed":
    case "not_applied":
      return { to: "obsolete", reason: "not_proven" };
    default:
      return null;
  }
}

/** Where a decision about an operation leads that was never sent, so that no read has to prove anything (RC-2). */
export function unsentMove(code: DecisionCode): DecidedMove | null {
  switch (code) {
    case "not_needed":
      return { to: "obsolete", reason: "decided_not_needed" };
    case "not_applied":
      return { to: "failed_terminal", reason: "decided_not_applied" };
    case "schedule_again":
      return { to: "scheduled", reason: "rescheduled_by_decision" };
    default:
      return null;
  }
}

/**
 * What a later read settles without anybody deciding (RV-1): the effect is there, the request has ended, or what has a
 * successor is proven absent (ID-7). Null while a person is still needed.
 */
export function settledByRead(
  subject: DecidedSubject,
  phase: LookPhase,
  observation: Observation,
): DecidedMove | null {
  const { operation, descriptor } = subject;
  const look = judgeLook(
    { ...operation, looks: 0, unknownForMs: 0 },
    phase,
    observation,
    descriptor,
  );
  switch (look.to) {
    case "done":
      return operation.attempts === 0
        ? { to: "obsolete", reason: "already_so" }
        : { to: "done", reason: look.reason, ...refOf(look) };
    case "obsolete":
      return { to: "obsolete", reason: look.reason };
    case "superseded":
      return { to: "superseded", reason: "superseded" };
    default:
      return null;
  }
}
