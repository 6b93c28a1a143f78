import { createHash, timingSafeEqual } from "node:crypto";
import { fromBER, type Sequence } from "asn1js";
import {
  type Certificate,
  ContentInfo,
  ExtKeyUsage,
  PKIStatus,
  SignedData,
  TimeStampResp,
  TSTInfo,
} from "pkijs";

/** Why an answer is no time stamp that counts. */
export type StampProblem =
  | "unreachable"
  | "http_status"
  | "unreadable"
  /** The authority says no. */
  | "rejected"
  | "other_imprint"
  | "other_nonce"
  | "other_policy"
  | "wrong_time"
  | "bad_signature"
  | "bad_certificate";

export interface Token {
  readonly der: Buffer;
  readonly signed: SignedData;
  readonly info: TSTInfo;
}

export interface Expected {
  readonly content: string;
  readonly nonce: Buffer;
  readonly policy: string | null;
  readonly trusted: readonly Certificate[];
  /** Between these moments of our clock the authority was asked and answered; epoch milliseconds. */
  readonly notBefore: number;
  readonly notAfter: number;
}

const TIME_STAMPING = "1.3.6.1.5.5.7.3.8";
const EXTENDED_KEY_USAGE = "2.5.29.37";
const SIGNING_CERTIFICATE_V2 = "1.2.840.113549.1.9.16.2.47";
/** How far the authority's clock and ours may be apart. */
const SKEW_MS = 300_000;

/** Reads the token out of an authority's answer, or says why there is none. */
export function tokenOf(answer: Buffer): Token | StampProblem {
  try {
    const response = TimeStampResp.fromBER(new Uint8Array(answer));
    const { status } = response.status;
    if (status !== PKIStatus.granted && status !== PKIStatus.grantedWithMods) return "rejected";
    if (!response.timeStampToken) return "unreadable";
    return readToken(Buffer.from(response.timeStampToken.toSchema().toBER()));
  } catch {
    // Bytes that are no answer of RFC 3161.
    return "unreadable";
  }
}

/** Throws for bytes that are no token. */
function readToken(der: Buffer): Token {
  const content = ContentInfo.fromBER(new Uint8Array(der));
  const signed = new SignedData({ schema: content.content });
  const inner = signed.encapContentInfo.eContent?.getValue();
  if (!inner) throw new Error("a token without content");
  return { der, signed, info: TSTInfo.fromBER(inner) };
}

/** What is wrong with a token for this content; null when every check passes. */
export async function tokenProblem(token: Token, expected: Expected): Promise<StampProblem | null> {
  const { info } = token;
  const imprint = Buffer.from(info.messageImprint.hashedMessage.valueBlock.valueHexView);
  if (!same(imprint, createHash("sha256").update(expected.content, "utf8").digest())) {
    return "other_imprint";
  }
  if (!info.nonce || !same(Buffer.from(info.nonce.valueBlock.valueHexView), expected.nonce)) {
    return "other_nonce";
  }
  if (expected.policy !== null && info.policy !== expected.policy) return "other_policy";
  const at = info.genTime.getTime();
  if (at < expected.notBefore - SKEW_MS || at > expected.notAfter + SKEW_MS) return "wrong_time";
  if (!mayStamp(token)) return "bad_certificate";
  return signatureProblem(token, expected);
}

async function signatureProblem(
  { signed, info }: Token,
  { content, trusted }: Expected,
): Promise<StampProblem | null> {
  const data = new Uint8Array(Buffer.from(content, "utf8")).buffer;
  try {
    if (!(await signed.verify({ signer: 0, data }))) return "bad_signature";
  } catch {
    // A digest that does not match is thrown and not returned.
    return "bad_signature";
  }
  try {
    const trustedCerts = [...trusted];
    const leads = { signer: 0, data, checkChain: true, trustedCerts, checkDate: info.genTime };
    return (await signed.verify(leads)) ? null : "bad_certificate";
  } catch {
    // So is a chain that leads nowhere.
    return "bad_certificate";
  }
}

/** The signer's certificate is for time stamps and nothing else, and the signature itself names that certificate. */
function mayStamp(token: Token): boolean {
  const certificate = signerOf(token);
  if (!certificate) return false;
  const usage = certificate.extensions?.find(({ extnID }) => extnID === EXTENDED_KEY_USAGE);
  const parsed = usage?.parsedValue;
  if (!usage?.critical || !(parsed instanceof ExtKeyUsage)) return false;
  if (parsed.keyPurposes.length !== 1 || parsed.keyPurposes[0] !== TIME_STAMPING) return false;
  const named = namedCertificate(token);
  const der = Buffer.from(certificate.toSchema(true).toBER());
  return named !== null && same(named, createHash("sha256").update(der).digest());
}

function signerOf({ signed }: Token): Certificate | null {
  const [signer] = signed.signerInfos;
  const serial = signer?.sid?.serialNumber;
  const found = signed.certificates?.find(
    (one) => "serialNumber" in one && serial !== undefined && one.serialNumber.isEqual(serial),
  );
  return (found as Certificate | undefined) ?? null;
}

/** The SHA-256 that ESS signing-certificate-v2 names; null where another hash or none is used. */
function namedCertificate({ signed }: Token): Buffer | null {
  const attribute = signed.signerInfos[0]?.signedAttrs?.attributes.find(
    ({ type }) => type === SIGNING_CERTIFICATE_V2,
  );
  const value = attribute?.values[0];
  if (!value) return null;
  const outer = fromBER(value.toBER()).result as Sequence;
  const [list] = outer.valueBlock.value as Sequence[];
  const [first] = (list?.valueBlock.value ?? []) as Sequence[];
  // SHA-256 is the default and then left out: the hash stands first.
  const [hash] = first?.valueBlock.value ?? [];
  const bytes = (hash as { valueBlock?: { valueHexView?: Uint8Array } } | undefined)?.valueBlock
    ?.valueHexView;
  return bytes && bytes.byteLength === 32 ? Buffer.from(bytes) : null;
}

function same(one: Buffer, other: Buffer): boolean {
  return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}
