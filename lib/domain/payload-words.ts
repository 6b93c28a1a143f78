import { formatDeadline } from "./deadline";
import type { OperationKind } from "./operation";
import type { Payload, PayloadSigner } from "./payload";
import { changesOf } from "./payload-changes";
import {
  counted,
  deadlineWords,
  expectedRows,
  expiryIn,
  type PayloadRow,
  row,
} from "./payload-row";

export interface KindWord {
  /** At the beginning of a heading: `Extend req_7006`. */
  readonly verb: string;
  /** Inside a sentence: `Approve: extension of req_7006`. */
  readonly noun: string;
}

export const KIND_WORDS: Record<OperationKind, KindWord> = {
  send: { verb: "Send", noun: "send" },
  resend: { verb: "Resend", noun: "resend" },
  remind: { verb: "Remind", noun: "reminder" },
  extend: { verb: "Extend", noun: "extension" },
  expire: { verb: "Expire", noun: "expiry" },
  void: { verb: "Void", noun: "void" },
  sign: { verb: "Sign", noun: "signature" },
  finalize: { verb: "Finalize", noun: "finalization" },
};

export interface PayloadDescription {
  readonly sentence: string;
  /** Every member of the payload, what changes first. */
  readonly rows: readonly PayloadRow[];
}

/** The payload in plain words and in full (AP-1). Deadlines are written in the zone that was approved. */
export function describePayload(payload: Payload): PayloadDescription {
  const rows = [...changesOf(payload), ...circumstancesOf(payload)];
  return { sentence: sentenceOfPayload(payload), rows };
}

/** What will happen, in one sentence without a full stop. */
function sentenceOfPayload(payload: Payload): string {
  const ref = payload.request_ref;
  switch (payload.kind) {
    case "extend": {
      const { instant, zone } = payload.target.business_deadline;
      const before = expiryIn(payload.expected, zone);
      const after = formatDeadline(instant, zone).line1;
      return `Extend the deadline of ${ref}${before === null ? "" : ` from ${before}`} to ${after}`;
    }
    case "send": {
      const until = deadlineWords(payload.business_deadline);
      const documents = counted(payload.documents.length, "document");
      const sent = `Send ${documents} of ${ref} to ${signersOf(payload.signers)} until ${until}`;
      if (payload.replaces === undefined) return sent;
      const waits = payload.replaces.starts === "after_void" ? "once that is voided" : "at once";
      return `${sent}, in place of an earlier one, ${waits}`;
    }
    case "remind":
      return `Remind ${signersOf(payload.signers)} of ${ref}`;
    case "resend":
      return `Send ${ref} again to ${signersOf(payload.signers)}`;
    case "expire":
      return payload.business_deadline === null
        ? `Close ${ref} now`
        : `Close ${ref} at ${deadlineWords(payload.business_deadline)}`;
    case "void":
      return `Void ${ref}`;
  }
}

function circumstancesOf(payload: Payload): readonly PayloadRow[] {
  const rows = [row("Request", payload.request_ref), row("Connection", payload.connection_id)];
  if (payload.kind === "send" || payload.kind === "extend") {
    rows.push(row("Signature policy", payload.signature_policy ?? "unchanged"));
  }
  if (payload.kind !== "send") {
    rows.push(
      row("Reference at the platform", payload.platform_ref),
      ...expectedRows(payload.expected),
      row("Reason, by digest", payload.reason_digest),
    );
  }
  rows.push(row("Replaces", payload.supersedes_op_id ?? "nothing"));
  rows.push(row("Form of the payload", `version ${payload.schema}`));
  return rows;
}

function signersOf(signers: readonly PayloadSigner[]): string {
  return counted(signers.length, "signer");
}
