import type { IncomingMessage, ServerResponse } from "node:http";

const BODY_BYTES_MAX = 1_000_000;

/** One request as the routes see it. */
export interface Call {
  readonly method: string;
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  /** Parsed JSON; undefined where there is none or it is broken. */
  readonly body: unknown;
  /** The bytes of the body as they came in, over which signatures are checked. */
  readonly raw: Buffer;
  /** Real time at which the request had arrived, epoch milliseconds. */
  readonly receivedAtMs: number;
}

/** Reads a request to its end. Null when its body is larger than the platform takes. */
export async function readCall(
  request: IncomingMessage,
  receivedAtMs: number,
): Promise<Call | null> {
  const url = new URL(request.url ?? "/", "http://sandbox");
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  const raw = Buffer.concat(chunks);
  return {
    method: request.method ?? "GET",
    path: url.pathname.split("/").filter(Boolean).map(decoded),
    query: url.searchParams,
    headers: request.headers,
    body: jsonOf(raw.toString("utf8")),
    raw,
    receivedAtMs,
  };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // A broken escape names nothing that exists.
    return segment;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // No schema accepts undefined, so the route answers with its own refusal.
    return undefined;
  }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** Promises a whole body, sends half of it and breaks off. */
export function sendTruncated(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text)),
  });
  response.write(text.slice(0, Math.ceil(text.length / 2)), () => response.destroy());
}

/** Breaks the connection without a word. */
export function reset(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}
