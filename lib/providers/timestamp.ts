import { createHash, randomBytes } from "node:crypto";
import { Integer } from "asn1js";
import { AlgorithmIdentifier, Certificate, MessageImprint, TimeStampReq } from "pkijs";
import { Agent, request } from "undici";
import { type StampProblem, tokenOf, tokenProblem } from "./timestamp-token";

/** An authority that says at what time it saw a hash (RFC 3161), and whose word is taken. */
export interface TimestampAuthority {
  readonly url: string;
  /** What history calls it: the host, never the whole address, which may hold a credential. */
  readonly name: string;
  /** Roots that its certificate must lead to. */
  readonly trusted: readonly Certificate[];
  /** Dotted number of the policy that is asked for; null for the authority's own. */
  readonly policy: string | null;
  readonly timeoutMs: number;
}

export type Stamped =
  | { readonly kind: "stamped"; readonly token: Buffer; readonly at: Date }
  | { readonly kind: "refused"; readonly problem: StampProblem };

const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 100_000;
const NONCE_BYTES = 8;
const SHA_256 = "2.16.840.1.101.3.4.2.1";

/** Own agent, so that nothing between us and the socket repeats a call. */
const agent = new Agent({ pipelining: 1, connections: 4 });

/** The authority at `url` with the trusted roots as PEM. Throws when the PEM holds no certificate. */
export function timestampAuthority(
  url: string,
  trustedPem: string,
  policy: string | null = null,
  timeoutMs = TIMEOUT_MS,
): TimestampAuthority {
  const trusted = certificatesOf(trustedPem);
  if (trusted.length === 0) throw new Error("the file of trusted roots holds no certificate");
  return { url, name: new URL(url).hostname, trusted, policy, timeoutMs };
}

function certificatesOf(pem: string): Certificate[] {
  const blocks = pem.matchAll(/-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g);
  return [...blocks].map(([, base64 = ""]) =>
    Certificate.fromBER(new Uint8Array(Buffer.from(base64, "base64"))),
  );
}

/**
 * Has the SHA-256 of `content` stamped and checks the answer: status, imprint, nonce, policy, time, signature and
 * the certificate's way to a trusted root. One attempt within the authority's bound; what is no good token is named
 * and not kept. Never throws for anything that a network or an authority does.
 */
export async function timestamp(authority: TimestampAuthority, content: string): Promise<Stamped> {
  const nonce = randomBytes(NONCE_BYTES);
  // A first bit of 1 would make the number negative.
  nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 0x40;
  const askedAt = Date.now();
  const answer = await ask(authority, queryOf(content, nonce, authority.policy));
  if (typeof answer === "string") return { kind: "refused", problem: answer };
  const token = tokenOf(answer);
  if (typeof token === "string") return { kind: "refused", problem: token };
  const problem = await tokenProblem(token, {
    content,
    nonce,
    policy: authority.policy,
    trusted: authority.trusted,
    notBefore: askedAt,
    notAfter: Date.now(),
  });
  if (problem !== null) return { kind: "refused", problem };
  return { kind: "stamped", token: token.der, at: token.info.genTime };
}

function queryOf(content: string, nonce: Buffer, policy: string | null): Buffer {
  const digest = createHash("sha256").update(content, "utf8").digest();
  const imprint = new MessageImprint({
    hashAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA_256 }),
  });
  imprint.hashedMessage.valueBlock.valueHexView = new Uint8Array(digest);
  const query = new TimeStampReq({
    version: 1,
    messageImprint: imprint,
    certReq: true,
    nonce: new Integer({ valueHex: new Uint8Array(nonce).buffer }),
    ...(policy === null ? {} : { reqPolicy: policy }),
  });
  return Buffer.from(query.toSchema().toBER());
}

async function ask(authority: TimestampAuthority, query: Buffer): Promise<Buffer | StampProblem> {
  const { url, timeoutMs } = authority;
  try {
    const { statusCode, body } = await request(url, {
      method: "POST",
      headers: { "content-type": "application/timestamp-query" },
      body: query,
      dispatcher: agent,
      signal: AbortSignal.timeout(timeoutMs),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    if (statusCode !== 200) {
      await body.dump();
      return "http_status";
    }
    return (await bounded(body)) ?? "unreadable";
  } catch {
    // The seal is asked about again later, whatever broke here.
    return "unreachable";
  }
}

async function bounded(body: AsyncIterable<Uint8Array>): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > ANSWER_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
