import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, request } from "undici";
import { isInternalAddress } from "./internal-networks";

/** One message to a subscriber. There is exactly one attempt; the next one is the relay's. */
export interface DeliveryCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Bound over resolving, connecting, headers and body together, in milliseconds. */
  readonly timeoutMs: number;
}

export type DeliveryOutcome =
  /** 2xx: taken. */
  | "delivered"
  /** Any other status: not taken. */
  | "answered"
  /** 410: the subscriber wants no more. */
  | "gone"
  /** 3xx: never followed. */
  | "redirect"
  | "timeout"
  | "connection_lost"
  /** The address leads into an internal network; nothing was sent. */
  | "target_refused";

/** What became of one attempt. Nothing of the answer's text is kept (PV-4). */
export interface DeliveryAnswer {
  readonly outcome: DeliveryOutcome;
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  readonly durationMs: number;
}

/** Makes one attempt. Never throws for anything that a network or a subscriber does. */
export type Deliver = (call: DeliveryCall) => Promise<DeliveryAnswer>;

export interface DeliverySettings {
  /** `host:port` that may be internal, by an explicit setting of the installation. */
  readonly allowedTargets: readonly string[];
  /** Resolves names; the system's own when left out. */
  readonly lookup?: LookupFunction;
}

/** An answer's body has nothing to say to us; beyond this the connection is dropped. */
const ANSWER_BYTES_MAX = 64 * 1024;

class TargetRefused extends Error {
  constructor() {
    super("the address leads into an internal network");
    this.name = "TargetRefused";
  }
}

/**
 * Sends to subscribers and to nothing behind our own walls: every address that a name resolves to is looked at in the
 * very lookup whose result is connected to, so that a name cannot change its mind in between.
 */
export function createDelivery(settings: DeliverySettings): Deliver {
  const agent = new Agent({ connect: guardedConnector(settings), pipelining: 1, connections: 8 });
  return async (call) => {
    const startedAt = performance.now();
    const answer = await attempt(agent, call);
    return { ...answer, durationMs: Math.round(performance.now() - startedAt) };
  };
}

function guardedConnector({ allowedTargets, lookup }: DeliverySettings): buildConnector.connector {
  const resolve = lookup ?? (systemLookup as LookupFunction);
  const allowed = new Set(allowedTargets);
  const free = buildConnector({ lookup: resolve } as buildConnector.BuildOptions);
  const guarded = buildConnector({ lookup: guard(resolve) } as buildConnector.BuildOptions);
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, "").toLowerCase();
    const port = options.port || (options.protocol === "http:" ? "80" : "443");
    if (allowed.has(`${host}:${port}`)) return free(options, callback);
    // An address that is written out is never looked up, so it is judged here.
    if (isIP(host) !== 0 && isInternalAddress(host)) return callback(new TargetRefused(), null);
    return guarded(options, callback);
  };
}

/** A lookup that fails when any of the addresses is internal: which one would be tried is not ours to say. */
function guard(resolve: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, options, (error, found, family) => {
      if (error) return callback(error, found, family);
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
      if (addresses.length === 0 || addresses.some(isInternalAddress)) {
        return callback(new TargetRefused(), "", 0);
      }
      return callback(null, found, family);
    });
  };
}

async function attempt(
  agent: Agent,
  call: DeliveryCall,
): Promise<Omit<DeliveryAnswer, "durationMs">> {
  const signal = AbortSignal.timeout(call.timeoutMs);
  try {
    const response = await request(call.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...call.headers },
      body: call.body,
      dispatcher: agent,
      signal,
      headersTimeout: call.timeoutMs,
      bodyTimeout: call.timeoutMs,
    });
    const status = response.statusCode;
    await dropBody(response.body, signal);
    return { outcome: outcomeOf(status), status, retryAfterMs: retryAfter(response.headers) };
  } catch (error) {
    return { outcome: causeOf(error, signal), status: null, retryAfterMs: null };
  }
}

/** The status has decided; how the rest of the answer ends changes nothing. */
async function dropBody(
  body: { dump(options: { limit: number; signal: AbortSignal }): Promise<void> },
  signal: AbortSignal,
): Promise<void> {
  try {
    await body.dump({ limit: ANSWER_BYTES_MAX, signal });
  } catch {
    // Cut off or too slow after its status: the subscriber has said what it had to say.
  }
}

function outcomeOf(status: number): DeliveryOutcome {
  if (status >= 200 && status < 300) return "delivered";
  if (status >= 300 && status < 400) return "redirect";
  return status === 410 ? "gone" : "answered";
}

const TIMEOUT_CODES = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

function causeOf(error: unknown, signal: AbortSignal): DeliveryOutcome {
  if (error instanceof TargetRefused) return "target_refused";
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return signal.aborted || TIMEOUT_CODES.has(code) ? "timeout" : "connection_lost";
}

function retryAfter(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): number | null {
  const value = headers["retry-after"];
  return typeof value === "string" && /^\d{1,7}$/.test(value) ? Number(value) * 1000 : null;
}
