import { Agent, request } from "undici";
import { noteServerDate } from "./server-date";

/** One call to a platform. There is exactly one attempt; whoever needs another one is the ledger (CL-8). */
export interface HttpCall {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Bound over connecting, headers and body together, in milliseconds (PL-3). */
  readonly timeoutMs: number;
}

/**
 * What an exchange came to. `body` is for the adapter's own schema and goes no further; everything else may be
 * kept (PV-4, C-37).
 */
export type Exchange =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly body: unknown;
      readonly requestId: string | null;
      readonly retryAfterMs: number | null;
    }
  | {
      readonly kind: "no_answer";
      readonly cause: "timeout" | "connection_lost" | "response_cut" | "response_unusable";
      readonly status: number | null;
      readonly requestId: string | null;
      readonly retryAfterMs: number | null;
    };

/** A body larger than this cannot be one of ours; reading on would only cost memory. */
const BODY_BYTES_MAX = 1_000_000;

/** A longer wait than a day is a mistake at the other side. */
const RETRY_AFTER_MS_MAX = 86_400_000;

/** Own agent: no interceptors, so nothing between us and the socket repeats a call (CL-8). */
const agent = new Agent({ pipelining: 1, connections: 256 });

/** Codes of undici for its own time bounds, which may fire just before ours. */
const TIMEOUT_CODES = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

type Facts = Pick<Exchange, "status" | "requestId" | "retryAfterMs">;

/**
 * Makes one HTTP exchange within `timeoutMs` and returns what became of it. Never throws for anything that a
 * network or a platform does, never follows a redirect, never tries again, and keeps no text of an error (PL-3,
 * CL-8, C-37).
 */
export async function exchange(call: HttpCall): Promise<Exchange> {
  const signal = AbortSignal.timeout(call.timeoutMs);
  let facts: Facts = { status: null, requestId: null, retryAfterMs: null };
  try {
    const response = await request(call.url, {
      method: call.method,
      headers: { accept: "application/json", ...call.headers, ...contentType(call) },
      body: call.body === undefined ? null : JSON.stringify(call.body),
      dispatcher: agent,
      signal,
      headersTimeout: call.timeoutMs,
      bodyTimeout: call.timeoutMs,
    });
    noteServerDate(call.url, response.headers.date);
    facts = factsOf(response.statusCode, response.headers);
    const text = await readBounded(response.body);
    return parsed(text, response.statusCode, facts);
  } catch (error) {
    return { kind: "no_answer", ...facts, cause: causeOf(error, signal, facts.status !== null) };
  }
}

function contentType(call: HttpCall): Record<string, string> {
  return call.body === undefined ? {} : { "content-type": "application/json" };
}

function parsed(text: string | null, status: number, facts: Facts): Exchange {
  if (text === null) return { kind: "no_answer", ...facts, cause: "response_unusable" };
  // A complete answer may have nothing to say; only a body that is there and cannot be read is unusable.
  if (text === "") return { kind: "answer", ...facts, status, body: null };
  try {
    return { kind: "answer", ...facts, status, body: JSON.parse(text) as unknown };
  } catch {
    // What was not JSON is dropped here, unread: it may hold a signing link (C-37).
    return { kind: "no_answer", ...facts, cause: "response_unusable" };
  }
}

async function readBounded(body: AsyncIterable<Uint8Array>): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function causeOf(error: unknown, signal: AbortSignal, hadHeaders: boolean) {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (signal.aborted || TIMEOUT_CODES.has(code)) return "timeout";
  return hadHeaders ? "response_cut" : "connection_lost";
}

function factsOf(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Facts {
  const requestId = headers["x-request-id"];
  return {
    status,
    requestId:
      typeof requestId === "string" && /^[A-Za-z0-9-]{1,64}$/.test(requestId) ? requestId : null,
    retryAfterMs: retryAfterMs(headers["retry-after"]),
  };
}

function retryAfterMs(header: string | string[] | undefined): number | null {
  if (typeof header !== "string") return null;
  const wait = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), RETRY_AFTER_MS_MAX) : null;
}
