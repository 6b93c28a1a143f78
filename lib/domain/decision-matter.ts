import { DEFAULT_BOUNDS } from "./bounds";
import { canonicalHash } from "./canonical";
import type { CapabilityDescriptor } from "./capability";
import { familyOf } from "./decision-family";
import type { DecidedOperation, DecisionFacts } from "./decision-options";
import type { DecidedSubject } from "./decision-verdict";
import type { RequestStatus } from "./observation";
import type { OperationKind, OperationState } from "./operation";
import type { Payload } from "./payload";
import {
  type AbsenceCounts,
  type AttemptFacts,
  absenceCounts,
  provesAbsence,
  timesOf,
} from "./quiet-time";
import { effectIsReadable } from "./reached";
import { type Role, roleMay } from "./role";
import { expectedExpiry, targetOf } from "./target";
import type { Baseline, JudgedOperation, LookPhase } from "./verdict";

/** The operation of an item with all that a decision depends on. */
export interface MatterOperation {
  readonly opId: string;
  readonly kind: OperationKind;
  readonly state: OperationState;
  readonly reason: string;
  readonly attempts: number;
  readonly declines: number;
  readonly looks: number;
  readonly platformRef: string | null;
  readonly successorOpId: string | null;
  readonly payload: Payload;
  readonly payloadHash: string;
  readonly firstIntentAt: Date | null;
  readonly calls: readonly AttemptFacts[];
  /** Whether an earlier call was ever unknown or accepted, and what the newest one reported (PL-3). */
  readonly earlier: {
    readonly unknown: boolean;
    readonly accepted: boolean;
    readonly newest: string | null;
  };
  readonly baseline: Baseline | null;
  /** Our own confirmed expiry since the approval (PL-5). */
  readonly ownExpiresAt: string | null;
}

/** The request of an item as the newest authoritative read left it. */
export interface MatterRequest {
  readonly ref: string;
  readonly platformRef: string | null;
  readonly zone: string;
  readonly mirrorStatus: RequestStatus | null;
  readonly mirrorExpiresAt: Date | null;
  readonly mirrorVersion: string | null;
  readonly mirrorTerminal: boolean;
  readonly mirrorReadAt: Date | null;
  readonly mirrorReceiptId: string | null;
}

/** One review item with everything that a decision about it depends on. */
export interface Matter {
  readonly itemId: string;
  readonly reason: string;
  readonly status: string;
  readonly owner: string;
  readonly team: string;
  readonly assignedTo: string | null;
  readonly openedAt: Date;
  readonly settledAt: Date | null;
  readonly closedAt: Date | null;
  /** JSON text without personal data. */
  readonly evidence: string;
  readonly inboxId: string | null;
  readonly subscriberId: string | null;
  readonly connectionId: string | null;
  readonly operation: MatterOperation | null;
  readonly request: MatterRequest | null;
  /** Null where the stored descriptor cannot be understood: the safe branch (PL-2). */
  readonly descriptor: CapabilityDescriptor | null;
  readonly now: Date;
}

/** Reports after which it is certain that this call was not processed (PL-3). */
const NOT_PROCESSED: readonly string[] = [
  "rejected_credentials",
  "rejected_template",
  "rejected_setting",
  "declined",
  "precondition_failed",
];

/** From when on a read proves absence for the operation of this item (RC-8); without one, from ever on. */
export function absenceOf({ operation, descriptor }: Matter): AbsenceCounts {
  if (operation === null) return { fromMs: Number.NEGATIVE_INFINITY };
  const unknown = { pauseMs: "unknown", processingMs: "unknown", visibilityMs: "unknown" } as const;
  const times = descriptor === null ? unknown : timesOf(descriptor, operation.kind);
  return absenceCounts(operation.calls, times);
}

/** What a read that starts at `startedAtMs` (epoch milliseconds of the database) may prove (RC-3, RC-8, RC-9). */
export function lookPhaseOf(matter: Matter, startedAtMs: number): LookPhase {
  const lookup = matter.descriptor?.lookupByReference;
  const first = matter.operation?.firstIntentAt ?? null;
  const searched = matter.operation?.kind === "send" && first !== null;
  const kept = lookup && lookup.kind !== "none" ? lookup.retentionMs : null;
  const withinRetention =
    !searched ||
    kept === null ||
    (kept !== "unknown" && startedAtMs < (first?.getTime() ?? 0) + kept);
  return {
    kind: "look",
    absenceCounts: provesAbsence(absenceOf(matter), startedAtMs),
    withinRetention,
  };
}

/** The operation as the judge sees it; looks and age play no part in what a person decides. */
export function judgedMatter(operation: MatterOperation): JudgedOperation {
  const { payload, earlier } = operation;
  return {
    opId: operation.opId,
    kind: operation.kind,
    target: targetOf(payload),
    expectedExpiresAt: operation.ownExpiresAt ?? expectedExpiry(payload),
    // Only the read before a call compares it.
    expectedStatus: null,
    baseline: operation.baseline,
    reminder: null,
    acknowledged: operation.platformRef !== null,
    attempts: operation.attempts,
    earlierUnknown: earlier.unknown,
    earlierAccepted: earlier.accepted,
    lastRefusal: refusalOf(earlier.newest),
    declines: operation.declines,
    looks: 0,
    unknownForMs: 0,
    successorRecorded: operation.successorOpId !== null,
    bounds: DEFAULT_BOUNDS,
  };
}

function refusalOf(report: string | null): JudgedOperation["lastRefusal"] {
  switch (report) {
    case "rejected_payload":
    case "refused_state":
      return "payload";
    case "rejected_credentials":
      return "credentials";
    case "rejected_template":
      return "template";
    case "rejected_setting":
      return "setting";
    default:
      return null;
  }
}

/** What a fresh read about the operation is compared with; null where there is none or its platform is not known. */
export function subjectOf(matter: Matter, kept: string | null): DecidedSubject | null {
  const { operation, descriptor } = matter;
  if (operation === null || descriptor === null) return null;
  const { payload } = operation;
  return {
    operation: judgedMatter(operation),
    state: operation.state,
    descriptor,
    sent:
      payload.kind === "send"
        ? { expiresAt: payload.expires_at, signers: payload.signers.length }
        : null,
    kept,
    ownRef: operation.platformRef,
  };
}

/** The facts that the options of an item follow from, for somebody of this role. */
export function decisionFactsOf(matter: Matter, role: Role | null): DecisionFacts {
  const { operation, request, descriptor } = matter;
  const searchable = descriptor !== null && descriptor.lookupByReference.kind !== "none";
  return {
    reason: matter.reason,
    family: familyOfMatter(matter),
    settled: matter.settledAt !== null,
    operation: operation && decidedOf(operation, descriptor),
    requestEnded: request?.mirrorTerminal ?? false,
    absence: absenceOf(matter),
    readable: descriptor !== null && isReadable(matter, searchable),
    searchable,
    may: {
      replay: role !== null && roleMay(role, "inbox.replay"),
      deliveries: role !== null && roleMay(role, "outbox.act"),
    },
    now: matter.now.toISOString(),
  };
}

/** The family of an item (RV-3). */
export function familyOfMatter(matter: Matter) {
  return familyOf({
    reason: matter.reason,
    operation: matter.operation,
    hasRequest: matter.request !== null,
    hasEvent: matter.inboxId !== null,
    hasSubscriber: matter.subscriberId !== null,
  });
}

function isReadable({ operation, request }: Matter, searchable: boolean): boolean {
  if (operation === null) return request !== null && request.platformRef !== null;
  return operation.payload.kind !== "send" || searchable || operation.platformRef !== null;
}

function decidedOf(
  operation: MatterOperation,
  descriptor: CapabilityDescriptor | null,
): DecidedOperation {
  const { kind, state, attempts, platformRef, successorOpId, earlier, payload } = operation;
  return {
    kind,
    state,
    attempts,
    attemptsMax: DEFAULT_BOUNDS.attemptsMax,
    acknowledged: platformRef !== null,
    successorRecorded: successorOpId !== null,
    refused: !earlier.unknown && NOT_PROCESSED.includes(earlier.newest ?? ""),
    effectReadable: descriptor !== null && effectIsReadable(targetOf(payload), descriptor),
  };
}

/**
 * A hash over what was on screen when somebody decides: another one means that the facts moved on and that the person
 * looks again first.
 */
export function factsHash({ itemId, reason, settledAt, operation, request }: Matter): string {
  return canonicalHash({
    item: itemId,
    reason,
    settled: settledAt !== null,
    operation: operation && {
      state: operation.state,
      reason: operation.reason,
      attempts: operation.attempts,
      successor: operation.successorOpId,
      hash: operation.payloadHash,
      platform_ref: operation.platformRef,
    },
    request: request && {
      status: request.mirrorStatus,
      expires_at: request.mirrorExpiresAt?.toISOString() ?? null,
      version: request.mirrorVersion,
    },
  });
}
