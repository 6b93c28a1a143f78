/**
 * The one state machine (SM-1). The database repeats this table as data in `operation_transitions`;
 * `lib/store/transitions.test.ts` compares the two and tries every pair with plain SQL.
 */
export const TRANSITIONS = {
  /** Drafted; nothing happens until the required people approve these exact bytes. */
  proposed: ["scheduled", "obsolete", "superseded"],
  /** Approved and hash-bound; a worker takes it when it is due and its request is free. */
  scheduled: ["claimed", "obsolete", "superseded", "needs_review"],
  /** One worker holds a lease and reads the platform. Nothing has been sent. */
  claimed: [
    "submitting",
    "scheduled",
    "obsolete",
    "quarantined",
    "needs_review",
    "needs_reconcile",
  ],
  /** The intent is durable and the call may be under way: from here on only a read can tell. */
  submitting: [
    "done",
    "obsolete",
    "needs_reconcile",
    "needs_review",
    "failed_terminal",
    "scheduled",
  ],
  /** Unknown. Only a reconciler moves it on (RC-1). */
  needs_reconcile: ["reconciling"],
  /** One reconciler holds a lease and reads the platform. It changes nothing there. */
  reconciling: [
    "done",
    "obsolete",
    "superseded",
    "scheduled",
    "needs_reconcile",
    "quarantined",
    "needs_review",
    "failed_terminal",
  ],
  /** Facts conflict with what was approved; a named owner decides. */
  quarantined: ["done", "obsolete", "superseded", "failed_terminal"],
  /** The evidence is ambiguous or cannot be had; a named owner decides. */
  needs_review: ["done", "obsolete", "superseded", "failed_terminal", "scheduled"],
  /** A read of the platform showed the effect. Final. */
  done: [],
  /** Ended without an effect of its own; the reason says why. Final. */
  obsolete: [],
  /** A newer approved operation took its place. Final. */
  superseded: [],
  /** Confirmed that the platform did not apply it. Final. */
  failed_terminal: [],
} as const satisfies Record<string, readonly string[]>;

export type OperationState = keyof typeof TRANSITIONS;

export const OPERATION_STATES = Object.keys(TRANSITIONS) as readonly OperationState[];

/** States in which one worker or reconciler holds a lease (CL-2). */
export const LEASED_STATES = [
  "claimed",
  "submitting",
  "reconciling",
] as const satisfies readonly OperationState[];

/** States of which a request may have at most one operation at a time (CL-4). */
export const SLOT_STATES = [
  "claimed",
  "submitting",
  "needs_reconcile",
  "reconciling",
] as const satisfies readonly OperationState[];

/** States in which a named person decides (RV-1). */
export const HUMAN_STATES = [
  "quarantined",
  "needs_review",
] as const satisfies readonly OperationState[];

/** States that never change again (SM-5). */
export const FINAL_STATES = [
  "done",
  "obsolete",
  "superseded",
  "failed_terminal",
] as const satisfies readonly OperationState[];

/** True when the table of SM-1 allows the move. */
export function canMove(from: OperationState, to: OperationState): boolean {
  return (TRANSITIONS[from] as readonly OperationState[]).includes(to);
}

/** True when the state is final (SM-5). */
export function isFinal(state: OperationState): boolean {
  return (FINAL_STATES as readonly OperationState[]).includes(state);
}

export const OPERATION_KINDS = [
  "send",
  "resend",
  "remind",
  "extend",
  "expire",
  "void",
  "sign",
  "finalize",
] as const;

export type OperationKind = (typeof OPERATION_KINDS)[number];

/**
 * Order between requests (CL-5): void and expire before extend, extend before send, send before remind.
 * Lower goes first.
 */
export const PRIORITY: Record<OperationKind, number> = {
  void: 0,
  expire: 0,
  extend: 1,
  send: 2,
  resend: 3,
  remind: 3,
  sign: 2,
  finalize: 2,
};
