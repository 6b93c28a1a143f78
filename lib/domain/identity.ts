import { OPERATION_KINDS, type OperationKind } from "./operation";
import { Refusal } from "./refusal";

/** Long enough for every derived key, short enough for every index and header. */
export const KEY_LENGTH_MAX = 200;

/** What an operation's identity is made of, by the way in which it came about (ID-1). */
export type KeySource =
  | {
      readonly form: "single";
      readonly requestRef: string;
      readonly kind: Exclude<OperationKind, "send" | "sign">;
      /** Issued once, when the form or proposal is opened. */
      readonly approvalId: string;
    }
  | { readonly form: "send"; readonly requestRef: string; readonly revision: number }
  | {
      readonly form: "bulk";
      readonly campaignKey: string;
      readonly subjectRef: string;
      /** 0 for the original. */
      readonly correction: number;
    }
  | {
      readonly form: "recurring";
      readonly requestRef: string;
      readonly kind: Exclude<OperationKind, "send" | "sign">;
      /** The plan or policy that asks for it. */
      readonly planId: string;
      readonly occurrence: number;
    }
  | {
      readonly form: "sign";
      readonly documentId: string;
      readonly version: number;
      readonly signerRef: string;
      readonly policyId: string;
    };

/**
 * The key that names an operation within its tenant (ID-1): the same decision gives the same key, however
 * often it arrives. Throws Refusal `key_too_long` or `key_unusable`; never takes an address or phone number.
 */
export function opKey(source: KeySource): string {
  const key = partsOf(source).join("/");
  if (key.length > KEY_LENGTH_MAX) {
    throw new Refusal("key_too_long", { values: { n: KEY_LENGTH_MAX, m: key.length } });
  }
  return key;
}

/** What a kind may be while it is proposed at all (GO-1). */
export type ProposalMode = "shadow" | "live";

const SHADOW = "shadow/";

/**
 * The key under which a proposal stands in this mode (GO-1): what only shadows another decision leaves that
 * decision's own key free. Throws Refusal `key_too_long`.
 */
export function keyFor(mode: ProposalMode, key: string): string {
  if (mode === "live") return key;
  const shadowed = `${SHADOW}${key}`;
  if (shadowed.length > KEY_LENGTH_MAX) {
    throw new Refusal("key_too_long", { values: { n: KEY_LENGTH_MAX, m: shadowed.length } });
  }
  return shadowed;
}

/** The mode in which the operation of this key was proposed. A request may itself be called `shadow`. */
export function modeOfKey(key: string): ProposalMode {
  const [, , kind] = key.split("/");
  const shadowed = (OPERATION_KINDS as readonly (string | undefined)[]).includes(kind);
  return key.startsWith(SHADOW) && shadowed ? "shadow" : "live";
}

/** `s_` and base32 of the given random bytes: a subject's name says nothing about the person (ID-1). */
export function newSubjectRef(randomBytes: Uint8Array): string {
  if (randomBytes.length < 10) throw new RangeError("a subject reference needs 10 random bytes");
  return `s_${base32(randomBytes)}`;
}

function partsOf(source: KeySource): readonly string[] {
  switch (source.form) {
    case "single":
      return [
        plain("The request reference", source.requestRef),
        source.kind,
        plain("The approval id", source.approvalId),
      ];
    case "send":
      return [plain("The request reference", source.requestRef), "send", counted(source.revision)];
    case "bulk":
      return [
        plain("The campaign key", source.campaignKey),
        subject(source.subjectRef),
        counted(source.correction),
      ];
    case "recurring":
      return [
        plain("The request reference", source.requestRef),
        source.kind,
        plain("The plan id", source.planId),
        counted(source.occurrence),
      ];
    case "sign":
      return [
        plain("The document id", source.documentId),
        counted(source.version),
        subject(source.signerRef),
        plain("The policy id", source.policyId),
        "sign",
      ];
  }
}

const PLAIN = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const DAY = /^\d{4}-\d\d(?:-\d\d)?$/;
/** Written-out addresses: `pat.at.example.com`, `pat_example.com`. */
const ADDRESS = /(?:^|[._-])at[._-].*[._-][a-z]{2,}$|\.(?:com|org|net|edu|gov|io|eu|de|uk|fr)$/i;
/** Seven to fifteen digits with nothing but separators, or ten digits in one run. */
const PHONE = /^[._-]*(?:\d[._-]*){7,15}$|\d{10}/;

function plain(part: string, value: string): string {
  if (UUID.test(value)) return value.toLowerCase();
  const personal = ADDRESS.test(value) || (PHONE.test(value) && !DAY.test(value));
  if (!PLAIN.test(value) || personal) throw new Refusal("key_unusable", { values: { part } });
  return value;
}

function subject(value: string): string {
  if (/^s_[a-z2-7]{16,52}$/.test(value)) return value;
  const refused = !value.startsWith("s_");
  if (refused) throw new Refusal("key_unusable", { values: { part: "The subject reference" } });
  return plain("The subject reference", value);
}

function counted(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError("not a counting number");
  return String(value);
}

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

function base32(bytes: Uint8Array): string {
  let [text, bits, pending] = ["", 0, 0];
  for (const byte of bytes) {
    pending = ((pending << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(pending >> bits) & 31];
    }
  }
  return bits === 0 ? text : text + ALPHABET[(pending << (5 - bits)) & 31];
}
