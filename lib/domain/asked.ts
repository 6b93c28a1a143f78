import type { BusinessDeadline } from "./business-deadline";
import { formatLocal, formatStep } from "./deadline";
import type { OperationKind } from "./operation";
import { KIND_WORDS } from "./payload-words";

/** What an approved or proposed payload asks for, as far as sentences and buttons need it. */
export interface Asked {
  readonly kind: OperationKind;
  /** The instant that the platform shall show or close at; null where the kind has none. */
  readonly targetAt: string | null;
  readonly deadline: BusinessDeadline | null;
  /** What the proposer saw at the platform; null for a send. */
  readonly expected: {
    readonly status: string;
    readonly expiresAt: string | null;
    readonly version: string | null;
  } | null;
  readonly signers: number;
  readonly documentDigests: readonly string[];
  /** Timers that are approved with it; null where it brings none. */
  readonly timers: {
    readonly reminders: readonly string[];
    readonly closesAtDeadline: boolean;
  } | null;
  /** True when signers see the reason that the proposer gave. */
  readonly showsReason: boolean;
  /** True when the platform counts the expiry anew from the call. */
  readonly movesExpiry: boolean;
  /** True when signers read a message. */
  readonly hasMessage: boolean;
}

/** "extension", as in "Reject the extension of req_7006?". */
export function kindNoun(kind: string): string {
  return Object.hasOwn(KIND_WORDS, kind) ? KIND_WORDS[kind as OperationKind].noun : kind;
}

/** "Extend by 3 d 0 h to 18 Dec 2026, 17:00 CET", with the capital that a list cell begins with. */
export function askedSentence(asked: Asked | null, kind: string, zone: string): string {
  if (asked === null) return capital(kindNoun(kind));
  const until = asked.targetAt === null ? null : formatLocal(asked.targetAt, zoneOf(asked, zone));
  switch (asked.kind) {
    case "extend": {
      const from = asked.expected?.expiresAt ?? null;
      const step = from && asked.targetAt ? ` by ${formatStep(from, asked.targetAt).slice(2)}` : "";
      return `Extend${step} to ${until}`;
    }
    case "send":
      return `Send to ${signerCount(asked)}, until ${until}`;
    case "resend":
      return `Resend to ${signerCount(asked)}`;
    case "remind":
      return `Remind ${signerCount(asked)}`;
    case "expire":
      return until === null ? "Close now" : `Close at ${until}`;
    case "void":
    case "sign":
    case "finalize":
      return capital(kindNoun(kind));
  }
}

/** The words after "Propose" and "Approve" on a button: "extension to 18 Dec 2026, 17:00 CET". */
export function askedObject(asked: Asked | null, kind: string, zone: string, ref: string): string {
  const noun = kindNoun(kind);
  if (asked === null) return `${noun} of ${ref}`;
  if (kind === "extend" && asked.targetAt !== null) {
    return `${noun} to ${formatLocal(asked.targetAt, zoneOf(asked, zone))}`;
  }
  if (kind === "send" || kind === "remind") return `${noun} to ${signerCount(asked)}`;
  return `${noun} of ${ref}`;
}

/** "1 signer", "3 signers". */
export function signerCount(asked: Asked): string {
  return `${asked.signers} ${asked.signers === 1 ? "signer" : "signers"}`;
}

/** The zone in which the deadline was approved, else the request's. */
export function zoneOf(asked: Asked, requestZone: string): string {
  return asked.deadline?.zone ?? requestZone;
}

/** The same words with the capital that a heading or a list cell begins with. */
export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
