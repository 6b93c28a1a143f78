import { createHash, webcrypto } from "node:crypto";
import { Integer, ObjectIdentifier, OctetString, PrintableString, Sequence, UTCTime } from "asn1js";
import {
  Attribute,
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  Extension,
  ExtKeyUsage,
} from "pkijs";

/** Root, certificate and key of the sandbox's own time-stamping authority, for tests and demonstrations only. */
export interface TsaKeys {
  readonly root: Certificate;
  readonly certificate: Certificate;
  readonly key: webcrypto.CryptoKey;
}

/** As kept in the store: base64 of DER. */
export interface StoredTsaKeys {
  readonly root: string;
  readonly certificate: string;
  readonly key: string;
}

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" };
const YEARS = 10;
const COMMON_NAME = "2.5.4.3";
const BASIC_CONSTRAINTS = "2.5.29.19";
const EXTENDED_KEY_USAGE = "2.5.29.37";
const TIME_STAMPING = "1.3.6.1.5.5.7.3.8";
const SIGNING_CERTIFICATE_V2 = "1.2.840.113549.1.9.16.2.47";

/** Makes a root and, under it, a certificate that may stamp and nothing else. */
export async function makeTsaKeys(now: Date): Promise<StoredTsaKeys> {
  const [rootPair, pair] = [await keyPair(), await keyPair()];
  const root = await certificateOf("Sandbox time-stamp root", rootPair, null, now, [
    new Extension({
      extnID: BASIC_CONSTRAINTS,
      critical: true,
      extnValue: new BasicConstraints({ cA: true }).toSchema().toBER(),
    }),
  ]);
  const issuer = { certificate: root, key: rootPair.privateKey };
  const certificate = await certificateOf("Sandbox time stamps", pair, issuer, now, [
    new Extension({
      extnID: EXTENDED_KEY_USAGE,
      critical: true,
      extnValue: new ExtKeyUsage({ keyPurposes: [TIME_STAMPING] }).toSchema().toBER(),
    }),
  ]);
  const key = await webcrypto.subtle.exportKey("pkcs8", pair.privateKey);
  return { root: derOf(root), certificate: derOf(certificate), key: base64(key) };
}

function keyPair(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
}

interface Issuer {
  readonly certificate: Certificate;
  readonly key: webcrypto.CryptoKey;
}

async function certificateOf(
  name: string,
  pair: webcrypto.CryptoKeyPair,
  issuer: Issuer | null,
  now: Date,
  extensions: Extension[],
): Promise<Certificate> {
  const certificate = new Certificate();
  certificate.version = 2;
  certificate.serialNumber = new Integer({ value: issuer === null ? 1 : 2 });
  const value = new PrintableString({ value: name });
  certificate.subject.typesAndValues.push(new AttributeTypeAndValue({ type: COMMON_NAME, value }));
  certificate.issuer = issuer?.certificate.subject ?? certificate.subject;
  certificate.notBefore.value = new Date(now.getTime() - 86_400_000);
  certificate.notAfter.value = new Date(now.getTime() + YEARS * 365 * 86_400_000);
  certificate.extensions = extensions;
  await certificate.subjectPublicKeyInfo.importKey(pair.publicKey as CryptoKey);
  await certificate.sign((issuer?.key ?? pair.privateKey) as CryptoKey, "SHA-256");
  return certificate;
}

/** Reads what `makeTsaKeys` made. */
export async function readTsaKeys(stored: StoredTsaKeys): Promise<TsaKeys> {
  return {
    root: Certificate.fromBER(bytesOf(stored.root)),
    certificate: Certificate.fromBER(bytesOf(stored.certificate)),
    key: await webcrypto.subtle.importKey("pkcs8", bytesOf(stored.key), ALGORITHM, false, ["sign"]),
  };
}

/** The root as PEM, for those who are to trust it. */
export function rootPem({ root }: StoredTsaKeys): string {
  const lines = root.match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

/** The attributes that a token's signature covers, with the certificate that it is made with named among them. */
export function signedAttributes(
  certificate: Certificate,
  contentType: string,
  content: ArrayBuffer,
  at: Date,
): Attribute[] {
  const der = Buffer.from(certificate.toSchema(true).toBER());
  const named = new OctetString({ valueHex: digestOf(der) });
  const essCertificate = new Sequence({
    value: [new Sequence({ value: [new Sequence({ value: [named] })] })],
  });
  const digest = new OctetString({ valueHex: digestOf(new Uint8Array(content)) });
  return [
    new Attribute({
      type: "1.2.840.113549.1.9.3",
      values: [new ObjectIdentifier({ value: contentType })],
    }),
    new Attribute({ type: "1.2.840.113549.1.9.5", values: [new UTCTime({ valueDate: at })] }),
    new Attribute({ type: "1.2.840.113549.1.9.4", values: [digest] }),
    new Attribute({ type: SIGNING_CERTIFICATE_V2, values: [essCertificate] }),
  ];
}

function digestOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(createHash("sha256").update(bytes).digest()).buffer;
}

function derOf(certificate: Certificate): string {
  return base64(certificate.toSchema(true).toBER());
}

function base64(bytes: ArrayBuffer): string {
  return Buffer.from(bytes).toString("base64");
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "base64"));
}
