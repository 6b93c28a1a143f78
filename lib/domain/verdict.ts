import type { Bounds } from "./bounds";
import type { CallOutcome } from "./observation";
import type { OperationKind, OperationState } from "./operation";
import type { ReasonCode } from "./reason";

/** What the approved payload wants the platform to show. */
export type Target =
  /** A request that carries this operation's `op_id`. */
  | { readonly kind: "exists" }
  /** An absolute expiry, RFC 3339 in UTC. */
  | { readonly kind: "expiry"; readonly expiresAt: string }
  /** An end that the ledger brings about itself. */
  | { readonly kind: "status"; readonly status: "expired" | "voided" }
  /** A reminder to these signers that is newer than the one before. */
  | { readonly kind: "reminded"; readonly subjectRefs: readonly string[] }
  /** A delivery to these signers that is newer than the one before. */
  | { readonly kind: "resent"; readonly subjectRefs: readonly string[] };

export type TargetOf<Kind extends Target["kind"]> = Extract<Target, { kind: Kind }>;

/** What the read before the first intent of an operation showed; RFC 3339 in UTC (RC-5). */
export interface Baseline {
  readonly lastReminderAt: string | null;
  readonly lastDeliveryAt: string | null;
}

/** What a reminder is compared with besides the request (RM-1, RM-2, RM-3). Instants are RFC 3339 in UTC. */
export interface ReminderFacts {
  readonly owner: "platform" | "application";
  /** The request's business deadline; null when it has none. */
  readonly deadlineAt: string | null;
  /** Database time at which the read started. */
  readonly readAt: string;
  /** The newest contact with one of its signers that the ledger knows of. */
  readonly lastContactAt: string | null;
  readonly minIntervalMs: number;
}

/** Everything that a verdict may depend on, apart from the read and the platform's promises. */
export interface JudgedOperation {
  readonly opId: string;
  readonly kind: OperationKind;
  readonly target: Target;
  /** The approved basis, advanced by this ledger's own `done` operations since the approval (PL-5). */
  readonly expectedExpiresAt: string | null;
  /** The status that was approved, where the policy wants it to be still the same (PL-5); null where it may move. */
  readonly expectedStatus: string | null;
  /** Null while no intent was stored. */
  readonly baseline: Baseline | null;
  /** Null for every kind but reminders. */
  readonly reminder: ReminderFacts | null;
  /** True when the platform once gave this send a reference of its own (C-12). */
  readonly acknowledged: boolean;
  /** Calls that may have left so far; in phase `after` the present one is among them. */
  readonly attempts: number;
  /** True when the outcome of an earlier attempt was ever unknown (PL-3). */
  readonly earlierUnknown: boolean;
  /** True when an earlier attempt was answered with success (C-14). */
  readonly earlierAccepted: boolean;
  /** What the newest attempt was refused for, when it was refused (PL-3). */
  readonly lastRefusal: "payload" | "credentials" | "template" | "setting" | null;
  readonly declines: number;
  readonly looks: number;
  readonly unknownForMs: number;
  readonly successorRecorded: boolean;
  readonly bounds: Bounds;
}

/** The moment of judging: what has been done, and what came of it. */
export type Phase =
  | { readonly kind: "before" }
  | { readonly kind: "after"; readonly outcome: CallOutcome }
  | LookPhase;

export interface LookPhase {
  readonly kind: "look";
  /** True when this read started late enough to prove absence (RC-8, RC-9). */
  readonly absenceCounts: boolean;
  /** True while the platform still knows the reference (RC-3: first intent plus look-up retention). */
  readonly withinRetention: boolean;
}

/** What a read means for an operation: act, or go to a state for a reason. */
export type Verdict =
  | { readonly to: "act" }
  | {
      readonly to: Exclude<OperationState, "proposed" | "claimed" | "submitting" | "reconciling">;
      readonly reason: ReasonCode;
      /** The platform's own reference, where the read showed it. */
      readonly platformRef?: string;
      /** The earliest next try or look that the platform asked for, in milliseconds from now. */
      readonly waitMs?: number;
    };
