import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { Integer, OctetString } from "asn1js";
import {
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  PKIStatus,
  PKIStatusInfo,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from "pkijs";
import type { Platform } from "./context";
import { type Call, sendJson } from "./http";
import {
  makeTsaKeys,
  readTsaKeys,
  rootPem,
  type StoredTsaKeys,
  signedAttributes,
  type TsaKeys,
} from "./tsa-authority";

const TST_INFO = "1.2.840.113549.1.9.16.1.4";
const SIGNED_DATA = "1.2.840.113549.1.7.2";
/** The only policy of this authority. */
const POLICY = "1.3.6.1.4.1.99999.1";
const LATE_MS = 3_000;
const WRONG_TIME_MS = 86_400_000;

/**
 * The sandbox's time-stamping authority (RFC 3161): `POST /tsa` stamps, `GET /tsa/root.pem` gives the root to trust.
 * `?fault=` makes one answer wrong (SB-2): `rejected`, `wrong_nonce`, `wrong_time`, `other_authority`, `late`.
 */
export async function handleTsa(
  platform: Platform,
  call: Call,
  response: ServerResponse,
): Promise<void> {
  const stored = await keysOf(platform);
  if (call.method === "GET" && call.path[1] === "root.pem") {
    response.writeHead(200, { "content-type": "application/x-pem-file" });
    response.end(rootPem(stored));
    return;
  }
  const query = call.method === "POST" ? queryOf(call.raw) : null;
  if (query === null) return sendJson(response, 400, { error: { code: "not_a_query" } });
  const fault = call.query.get("fault");
  const keys = fault === "other_authority" ? await makeTsaKeys(new Date(platform.now())) : stored;
  const answer = await answerTo(query, await readTsaKeys(keys), fault, platform.now());
  if (fault === "late") {
    await pause(LATE_MS, undefined, { signal: platform.stopping }).catch(() => undefined);
  }
  response.writeHead(200, { "content-type": "application/timestamp-reply" });
  response.end(answer);
}

function queryOf(raw: Buffer): TimeStampReq | null {
  try {
    return TimeStampReq.fromBER(new Uint8Array(raw));
  } catch {
    // Whoever sends other bytes is told that they are no query.
    return null;
  }
}

/** The same authority over all starts: its keys lie in the platform's store. */
async function keysOf({ database, now }: Platform): Promise<StoredTsaKeys> {
  const read = () => database.query<StoredTsaKeys>("SELECT root, certificate, key FROM tsa_keys");
  const { rows } = await read();
  if (rows[0]) return rows[0];
  const made = await makeTsaKeys(new Date(now()));
  await database.query(
    "INSERT INTO tsa_keys (root, certificate, key) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
    [made.root, made.certificate, made.key],
  );
  return (await read()).rows[0] ?? made;
}

async function answerTo(
  query: TimeStampReq,
  keys: TsaKeys,
  fault: string | null,
  nowMs: number,
): Promise<Buffer> {
  if (fault === "rejected" || (query.reqPolicy !== undefined && query.reqPolicy !== POLICY)) {
    const status = new PKIStatusInfo({ status: PKIStatus.rejection });
    return Buffer.from(new TimeStampResp({ status }).toSchema().toBER());
  }
  const wrongNonce = new Integer({ valueHex: new Uint8Array([64, ...randomBytes(7)]).buffer });
  const nonce = fault === "wrong_nonce" ? wrongNonce : query.nonce;
  const info = new TSTInfo({
    version: 1,
    policy: POLICY,
    messageImprint: query.messageImprint,
    serialNumber: new Integer({ valueHex: new Uint8Array([64, ...randomBytes(7)]).buffer }),
    genTime: new Date(nowMs - (fault === "wrong_time" ? WRONG_TIME_MS : 0)),
    ...(nonce === undefined ? {} : { nonce }),
  });
  const response = new TimeStampResp({
    status: new PKIStatusInfo({ status: PKIStatus.granted }),
    timeStampToken: await tokenOf(info, keys),
  });
  return Buffer.from(response.toSchema().toBER());
}

async function tokenOf(info: TSTInfo, { root, certificate, key }: TsaKeys): Promise<ContentInfo> {
  const content = info.toSchema().toBER();
  const attributes = signedAttributes(certificate, TST_INFO, content, info.genTime);
  const signed = new SignedData({
    version: 3,
    encapContentInfo: new EncapsulatedContentInfo({
      eContentType: TST_INFO,
      eContent: new OctetString({ valueHex: content }),
    }),
    signerInfos: [
      new SignerInfo({
        version: 1,
        sid: new IssuerAndSerialNumber({
          issuer: certificate.issuer,
          serialNumber: certificate.serialNumber,
        }),
        signedAttrs: new SignedAndUnsignedAttributes({ type: 0, attributes }),
      }),
    ],
    certificates: [certificate, root],
  });
  await signed.sign(key as CryptoKey, 0, "SHA-256");
  return new ContentInfo({ contentType: SIGNED_DATA, content: signed.toSchema(true) });
}
