import type { DecisionCode, DecisionOption } from "./decision";
import type { DecisionFamily } from "./decision-family";
import type { OperationKind, OperationState } from "./operation";
import type { AbsenceCounts } from "./quiet-time";
import type { RefusalCode } from "./refusal-words";
import { instantOf } from "./zone";

/** The operation of an item, as far as options depend on it. */
export interface DecidedOperation {
  readonly kind: OperationKind;
  readonly state: OperationState;
  readonly attempts: number;
  readonly attemptsMax: number;
  /** True when the platform once gave it a reference of its own (C-12). */
  readonly acknowledged: boolean;
  readonly successorRecorded: boolean;
  /** The newest attempt was refused and no earlier one was ever unknown: the refusal is the proof (PL-3). */
  readonly refused: boolean;
  /** False where no read of this platform can ever show the effect (RC-5). */
  readonly effectReadable: boolean;
}

/** Everything that the options of an item depend on. */
export interface DecisionFacts {
  readonly reason: string;
  readonly family: DecisionFamily;
  /** Nothing is to be decided any more: a read settled it. */
  readonly settled: boolean;
  readonly operation: DecidedOperation | null;
  /** The newest read shows an end that is final on this platform. */
  readonly requestEnded: boolean;
  /** From when on a read proves absence (RC-8). */
  readonly absence: AbsenceCounts;
  /** The platform has something that can be read: a reference, or a look-up by ours. */
  readonly readable: boolean;
  /** The platform can be searched by our own reference. */
  readonly searchable: boolean;
  /** What the viewer's role lets them do beside deciding. */
  readonly may: { readonly replay: boolean; readonly deliveries: boolean };
  /** RFC 3339. */
  readonly now: string;
}

/**
 * What can be decided about an item (RV-3): by state, reason and RC-8 only. Every option of the family is listed, a
 * closed one with why and, where it opens by itself, with when. An item that a read has settled has none.
 */
export function decisionOptions(facts: DecisionFacts): readonly DecisionOption[] {
  if (facts.settled) return [];
  switch (facts.family) {
    case "operation":
      return facts.operation === null
        ? []
        : onErased(facts, facts.operation, ofOperation(facts, facts.operation));
    case "extra_request":
      return [{ ...READ_DECIDES, code: "keep_one", reference: "choose" }];
    case "late_evidence":
      return lateEvidence(facts);
    case "drift":
      return [
        { ...READ_DECIDES, code: "accept_platform" },
        without("replace"),
        without("keep_evidence"),
      ];
    case "setting":
      return [
        { ...READ_DECIDES, code: "corrected", overridable: true },
        without("replace"),
        without("keep_evidence"),
      ];
    case "late_signature":
      return [without("accept_late"), without("refuse_late")];
    case "zone_rules":
      return [without("keep_instant"), without("replace")];
    case "input":
      return [permitted("replay", facts.may.replay), without("keep_evidence")];
    case "delivery":
      return [
        permitted("replay", facts.may.deliveries),
        permitted("close_without", facts.may.deliveries),
      ];
    case "notice":
      return [without("keep_evidence")];
  }
}

const PLAIN = {
  open: true,
  closedBecause: null,
  opensAt: null,
  needsRead: false,
  overridable: false,
  secondPerson: false,
  reference: null,
} as const;

const READ_DECIDES = { ...PLAIN, needsRead: true } as const;

function without(code: DecisionCode): DecisionOption {
  return { ...PLAIN, code };
}

function permitted(code: DecisionCode, may: boolean): DecisionOption {
  return may ? without(code) : closed({ ...PLAIN, code }, "not_permitted");
}

function closed(
  option: DecisionOption,
  closedBecause: RefusalCode,
  opensAt: string | null = null,
): DecisionOption {
  return { ...option, open: false, closedBecause, opensAt };
}

/** Late evidence is compared with what the ledger says: the read must not contradict that. */
function lateEvidence({ reason, readable }: DecisionFacts): readonly DecisionOption[] {
  const keep = {
    ...PLAIN,
    code: "keep_evidence",
    needsRead: readable,
    overridable: readable,
  } as const;
  return VALUE_DIFFERS.includes(reason)
    ? [{ ...READ_DECIDES, code: "accept_platform" }, without("replace")]
    : [keep, without("replace")];
}

const VALUE_DIFFERS: readonly string[] = ["drift_expiry", "platform_ignored_expiry"];

function ofOperation(facts: DecisionFacts, operation: DecidedOperation): readonly DecisionOption[] {
  const duplicate = facts.reason === "possible_duplicate";
  const first: DecisionOption = duplicate
    ? { ...READ_DECIDES, code: "keep_one", reference: "choose" }
    : applied(facts, operation);
  return [
    first,
    duplicate
      ? closed(optionOf("not_needed"), "decision_not_for_reason")
      : notNeeded(facts, operation),
    operation.successorRecorded
      ? closed(without("replace"), "decision_successor")
      : without("replace"),
    duplicate
      ? closed(optionOf("not_applied"), "decision_not_for_reason")
      : notApplied(facts, operation),
    scheduleAgain(facts, operation),
  ];
}

/** An erasure gives a person also what waits for approval (PV-3): that can only be given up or replaced. */
function onErased(
  { reason }: DecisionFacts,
  { state }: DecidedOperation,
  options: readonly DecisionOption[],
): readonly DecisionOption[] {
  if (reason !== "contact_erased" || state !== "proposed") return options;
  return options.map((option) =>
    option.open && option.code !== "replace" && option.code !== "not_needed"
      ? closed(option, "decision_nothing_sent")
      : option,
  );
}

function optionOf(code: DecisionCode): DecisionOption {
  return { ...READ_DECIDES, code, overridable: true };
}

function applied(facts: DecisionFacts, operation: DecidedOperation): DecisionOption {
  const byHand = operation.kind === "send" && !facts.searchable && !operation.acknowledged;
  const option: DecisionOption = {
    ...optionOf("applied"),
    // A send is done only with a reference that a read shows (PL-6).
    overridable: operation.kind !== "send" || byHand,
    secondPerson: !operation.effectReadable,
    reference: byHand ? "enter" : null,
  };
  return operation.attempts === 0 ? closed(option, "decision_nothing_sent") : option;
}

/** RC-8 for what claims "not applied"; the option as it is once the gate lets it through. */
function afterQuietTime(facts: DecisionFacts, option: DecisionOption): DecisionOption {
  const { absence } = facts;
  if ("never" in absence) {
    return absence.never === "worker"
      ? closed(option, "decision_worker_lives")
      : // No moment will ever prove it here. Two people may still end it, and it ends as not proven.
        { ...option, secondPerson: true };
  }
  if (absence.fromMs <= Date.parse(facts.now)) return option;
  return closed(option, "decision_absence_open", instantOf(absence.fromMs));
}

function notNeeded(facts: DecisionFacts, operation: DecidedOperation): DecisionOption {
  if (operation.attempts === 0) return without("not_needed");
  const option = { ...optionOf("not_needed"), secondPerson: !facts.readable };
  return facts.requestEnded ? option : afterQuietTime(facts, option);
}

function notApplied(facts: DecisionFacts, operation: DecidedOperation): DecisionOption {
  if (operation.attempts === 0) return without("not_applied");
  const secondPerson = !facts.readable || !operation.effectReadable;
  return afterQuietTime(facts, { ...optionOf("not_applied"), secondPerson });
}

/** Reasons after which the next claim would only bring it back here, or after which a second one might go out. */
const NEVER_AGAIN: readonly string[] = [
  "possible_duplicate",
  "payload_changed_after_approval",
  "authorization_lost",
  "contact_erased",
  "deadline_passed_while_held",
  "completed_before_replacement",
  "replaced_not_voided",
  "stored_bytes_changed",
];

/** Never from quarantined, never without proof of absence, never by two people instead of a proof (RV-3). */
function scheduleAgain(facts: DecisionFacts, operation: DecidedOperation): DecisionOption {
  const option: DecisionOption = { ...READ_DECIDES, code: "schedule_again" };
  if (operation.state === "quarantined") return closed(option, "decision_quarantined");
  if (NEVER_AGAIN.includes(facts.reason)) return closed(option, "decision_not_for_reason");
  if (operation.successorRecorded) return closed(option, "decision_successor");
  if (operation.kind === "send" && operation.acknowledged) {
    return closed(option, "decision_acknowledged");
  }
  if (operation.attempts >= operation.attemptsMax)
    return closed(option, "decision_no_attempt_left");
  if (operation.attempts === 0 || operation.refused) {
    return { ...option, needsRead: facts.readable };
  }
  if (!facts.readable || !operation.effectReadable || isNever(facts.absence)) {
    return closed(option, "proof_needed");
  }
  return afterQuietTime(facts, option);
}

function isNever(absence: AbsenceCounts): boolean {
  return "never" in absence && absence.never === "times";
}

/** The option of that code among those of an item; null when its family does not know it. */
export function optionAmong(
  options: readonly DecisionOption[],
  code: DecisionCode,
): DecisionOption | null {
  return options.find((option) => option.code === code) ?? null;
}
