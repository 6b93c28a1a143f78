import type { CapabilityDescriptor, OperationTimes } from "./capability";
import { formatDuration } from "./deadline";
import { lookupSentence, resendSentence } from "./promise-words";

/** One line of what a platform promises, with the branch that the ledger takes because of it. */
export interface CapabilityRow {
  readonly field: string;
  readonly value: string;
  /** Kinds of operations that it matters for. */
  readonly per: string;
  readonly does: string;
  /** True where nobody can say: the ledger then takes the safe branch. */
  readonly unknown: boolean;
}

/** Everything that a descriptor says, in the order in which an operation meets it (PL-2). */
export function capabilityRows(descriptor: CapabilityDescriptor): readonly CapabilityRow[] {
  return [
    lookup(descriptor),
    key(descriptor),
    conditional(descriptor),
    expiry(descriptor),
    ...timesRows(descriptor),
    notProcessed("429, too many calls", descriptor.rateLimitMeansNotProcessed),
    notProcessed("409 and 423, conflict", descriptor.conflictMeansNotProcessed),
    reminders(descriptor),
    resends(descriptor),
    voids(descriptor),
    singles(descriptor),
    bulk(descriptor),
    ...endRows(descriptor),
    eventIds(descriptor),
    authentication(descriptor),
    reads(descriptor),
  ];
}

const known = { unknown: false } as const;

function lookup(descriptor: CapabilityDescriptor): CapabilityRow {
  const { lookupByReference: found } = descriptor;
  const row = { field: "Look-up by our reference", per: "send", value: lookupSentence(descriptor) };
  switch (found.kind) {
    case "authoritative":
      return {
        ...row,
        ...known,
        does: `An unknown send is looked up by its reference, kept ${lasting(found.retentionMs)}.`,
      };
    case "eventual":
      return {
        ...row,
        unknown: found.windowMs === "unknown",
        does:
          found.windowMs === "unknown"
            ? "A match proves the send. Absence never proves anything; a person decides."
            : `A match proves the send. Absence counts only ${formatDuration(found.windowMs)} after the call can have worked.`,
      };
    case "none":
      return { ...row, ...known, does: "An unknown send goes to a person; it is never repeated." };
  }
}

function key({ idempotencyKey }: CapabilityDescriptor): CapabilityRow {
  const row = { field: "Idempotency key", per: "all" };
  if (idempotencyKey.kind === "none") {
    return { ...row, ...known, value: "none", does: "Only a look tells whether a call worked." };
  }
  return {
    ...row,
    ...known,
    value: `header, kept ${lasting(idempotencyKey.retentionMs)}`,
    does: "Each call carries the operation's id. It is a second guard; an unknown is still read first.",
  };
}

function conditional({ conditionalUpdate }: CapabilityDescriptor): CapabilityRow {
  const row = { field: "Conditional update", per: "extend, expire, void", ...known };
  switch (conditionalUpdate) {
    case "version":
      return {
        ...row,
        value: "by version",
        does: "A change names the version that was read; the platform refuses it when that is old.",
      };
    case "lock":
      return { ...row, value: "by lock", does: "The lock is held from the read to the change." };
    case "none":
      return {
        ...row,
        value: "none",
        does: "Read, change, read again. What happens between is noticed and stops, not prevented.",
      };
  }
}

function expiry({ expiryForm }: CapabilityDescriptor): CapabilityRow {
  const row = { field: "Form of an expiry", per: "send, extend", ...known };
  if (expiryForm.kind === "relative_days") {
    return {
      ...row,
      value: `whole days from ${expiryForm.from === "send" ? "sending" : "the call"}`,
      does: "The instant is turned into days, rounded up, and the read afterwards must match.",
    };
  }
  const step = expiryForm.granularityMs;
  return step === 1
    ? { ...row, value: "an exact instant", does: "A read must show exactly the approved instant." }
    : {
        ...row,
        value: `an instant, floored to ${formatDuration(step)}`,
        does: "The form shows the floored instant, and a read must show exactly that.",
      };
}

function timesRows({ times }: CapabilityDescriptor): readonly CapabilityRow[] {
  return [
    timesRow("send", times.send),
    timesRow("extend", times.extend),
    timesRow("all others", times.other),
  ];
}

function timesRow(per: string, times: OperationTimes): CapabilityRow {
  const { pauseMs, processingMs, visibilityMs } = times;
  const unknown = [pauseMs, processingMs, visibilityMs].includes("unknown");
  return {
    field: "Longest pause · processing · visibility",
    per,
    value: [pauseMs, processingMs, visibilityMs].map(lasting).join(" · "),
    unknown,
    does: unknown
      ? "Treated as the safe case: absence in a read never proves that nothing happened; a person decides."
      : "A read that starts after all three have passed may prove that a call had no effect.",
  };
}

function notProcessed(
  field: string,
  promise: "guaranteed" | "unstated" | "observed_false",
): CapabilityRow {
  const row = { field: `After ${field}`, per: "all" };
  switch (promise) {
    case "guaranteed":
      return {
        ...row,
        ...known,
        value: "certainly not processed",
        does: "The same operation waits and is tried again.",
      };
    case "observed_false":
      return {
        ...row,
        ...known,
        value: "was processed at times",
        does: "It is unknown, and read before anything else happens.",
      };
    case "unstated":
      return {
        ...row,
        unknown: true,
        value: "not stated",
        does: "Treated as the safe case: it is unknown, and read before anything else happens.",
      };
  }
}

function reminders({ reminderTimestamp }: CapabilityDescriptor): CapabilityRow {
  return {
    field: "A read shows the last reminder",
    per: "remind",
    ...known,
    value: yesNo(reminderTimestamp),
    does: reminderTimestamp
      ? "A reminder is confirmed by a newer time in a read."
      : "Acceptance is the only evidence. An unknown reminder is let go rather than sent twice.",
  };
}

function resends(descriptor: CapabilityDescriptor): CapabilityRow {
  const { deliveryRecord, resendMovesExpiry } = descriptor;
  return {
    field: "A read shows the delivery · a resend moves the expiry",
    per: "resend",
    ...known,
    value: `${yesNo(deliveryRecord)} · ${yesNo(resendMovesExpiry)}`,
    does: resendSentence(descriptor),
  };
}

function voids({ voidShowsReason }: CapabilityDescriptor): CapabilityRow {
  return {
    field: "Signers see the reason of a void",
    per: "void",
    ...known,
    value: yesNo(voidShowsReason),
    does: voidShowsReason
      ? "The reason is part of what is approved."
      : "The reason stays in the ledger.",
  };
}

function singles({ remindsSingleSigners }: CapabilityDescriptor): CapabilityRow {
  return {
    field: "Reminds single signers",
    per: "remind",
    ...known,
    value: yesNo(remindsSingleSigners),
    does: remindsSingleSigners
      ? "Only those are reminded who may be."
      : "All who have not signed are reminded together; the latest contact decides when.",
  };
}

function bulk({ bulkResult }: CapabilityDescriptor): CapabilityRow {
  const value = { none: "no bulk calls", per_recipient: "per recipient", batch: "for the batch" };
  return {
    field: "Result of a bulk call",
    per: "send",
    ...known,
    value: value[bulkResult],
    does: "Every recipient is an operation of its own with a call of its own.",
  };
}

function endRows({ terminal }: CapabilityDescriptor): readonly CapabilityRow[] {
  return (["completed", "declined", "expired", "voided"] as const).map((status) => ({
    field: `After "${status}"`,
    per: "all",
    ...known,
    value: terminal[status] === "final" ? "final" : "can be left again",
    does:
      terminal[status] === "final"
        ? "Open operations end. An event never leaves it; one that tells otherwise orders a read."
        : "Only a read may leave it.",
  }));
}

function eventIds({ eventId }: CapabilityDescriptor): CapabilityRow {
  return {
    field: "Events have an id",
    per: "events",
    ...known,
    value: yesNo(eventId),
    does: eventId
      ? "Copies are told apart by the id, which repeats keep."
      : "The identity is made from what the event says; such an event only orders a read.",
  };
}

function authentication({ webhookAuthentication }: CapabilityDescriptor): CapabilityRow {
  const signed = webhookAuthentication === "standard_webhooks";
  return {
    field: "Deliveries are signed",
    per: "events",
    ...known,
    value: signed ? "Standard Webhooks" : "no",
    does: signed
      ? "What fails the check is refused and only counted."
      : "No delivery is accepted; the platform is polled.",
  };
}

function reads({ readLimitPerHour }: CapabilityDescriptor): CapabilityRow {
  const unknown = readLimitPerHour === "unknown";
  return {
    field: "Reads per hour",
    per: "reads",
    unknown,
    value: unknown ? "unknown" : String(readLimitPerHour),
    does: unknown
      ? "Nothing is held back by it unless an admin sets a limit; what the platform declines waits."
      : "Operations come before pages, pages before sweeps; an admin may set a lower limit.",
  };
}

function lasting(ms: number | "unknown"): string {
  return ms === "unknown" ? "unknown" : formatDuration(ms);
}

function yesNo(value: boolean): string {
  return value ? "yes" : "no";
}
