import type { JudgedOperation, LookPhase, Verdict } from "./verdict";

type Ending = Exclude<Verdict, { to: "act" }>;

/** Absent, or still the old value: means something only from a read that RC-8 lets count. */
export function notThere(operation: JudgedOperation, phase: LookPhase): Ending {
  if (operation.attempts > 0 && !phase.absenceCounts) {
    return staysUnknown(operation, "awaiting_quiescence");
  }
  if (operation.attempts > 0 && !phase.withinRetention) {
    return { to: "needs_review", reason: "reconcile_bound_reached" };
  }
  if (operation.successorRecorded) return { to: "superseded", reason: "superseded" };
  if (operation.lastRefusal !== null) return refusedForGood(operation.lastRefusal);
  if (operation.attempts > 0 && operation.kind === "resend") {
    // Nothing went out, and that is certain; whether it should go again is for a person to say (RC-5).
    return { to: "failed_terminal", reason: "resend_not_delivered" };
  }
  if (operation.attempts >= operation.bounds.attemptsMax) {
    return operation.kind === "void" && operation.earlierAccepted
      ? { to: "failed_terminal", reason: "void_not_applied" }
      : { to: "failed_terminal", reason: "absence_confirmed_bound_reached" };
  }
  return { to: "scheduled", reason: "absence_proven" };
}

/** The newest attempt was refused and no earlier one worked either: now the refusal speaks for all (PL-3). */
function refusedForGood(refusal: NonNullable<JudgedOperation["lastRefusal"]>): Ending {
  switch (refusal) {
    case "payload":
      return { to: "failed_terminal", reason: "rejected_payload" };
    case "credentials":
      return { to: "needs_review", reason: "credentials_refused" };
    case "template":
      return { to: "needs_review", reason: "template_missing" };
    case "setting":
      return { to: "needs_review", reason: "setting_missing" };
  }
}

/** A reference that the platform gave and does not know any more is a person's case after the bound (C-12). */
export function missing(operation: JudgedOperation): Ending {
  return pastBound(operation)
    ? { to: "needs_review", reason: "missing_at_platform" }
    : { to: "needs_reconcile", reason: "found_then_missing" };
}

/** Time alone never reschedules: past its age somebody is told of it, past the bound a person decides (RC-4). */
export function staysUnknown(
  operation: JudgedOperation,
  reason: "lookup_failed" | "lookup_inconclusive" | "awaiting_quiescence",
): Ending {
  if (pastBound(operation)) return { to: "needs_review", reason: "reconcile_bound_reached" };
  const old = operation.unknownForMs >= operation.bounds.unknownToldAfterMs;
  // That absence proves nothing yet, and until when, says more than how old it is.
  const pastAge = old && reason !== "awaiting_quiescence";
  return { to: "needs_reconcile", reason: pastAge ? "unknown_past_age" : reason };
}

function pastBound(operation: JudgedOperation): boolean {
  return (
    operation.looks >= operation.bounds.looksMax ||
    operation.unknownForMs >= operation.bounds.unknownAgeMaxMs
  );
}
