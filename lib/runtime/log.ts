import { type DestinationStream, pino } from "pino";
import type { Log, LogEntry } from "@/lib/flows/context";

/** Every field of LogEntry; the compiler refuses a field that is missing here. */
const ALLOWED: Record<keyof LogEntry, true> = {
  event: true,
  tenant: true,
  op: true,
  connection: true,
  zone: true,
  kind: true,
  state: true,
  reason: true,
  actor: true,
  worker: true,
  fence: true,
  count: true,
  ms: true,
  status: true,
  method: true,
  route: true,
  requestId: true,
  error: true,
  at: true,
  port: true,
};

/**
 * One JSON line per entry, on stdout or `destination`. Only allowed fields leave, also when the compiler was
 * talked into an object with more (PV-4).
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` };
  const sink = destination ? pino(options, destination) : pino(options);
  return {
    debug: (entry) => sink.debug(allowed(entry)),
    info: (entry) => sink.info(allowed(entry)),
    warn: (entry) => sink.warn(allowed(entry)),
    error: (entry) => sink.error(allowed(entry)),
  };
}

function allowed(entry: LogEntry): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => name in ALLOWED));
}

const FRAMES_KEPT = 3;

/**
 * What a log may say of an error: its class, a code, and where in our code it came from. Never its message,
 * which may quote a request, an address or a signing link (C-37).
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  const mark = typeof code === "string" && /^[A-Z0-9_]{2,40}$/.test(code) ? `(${code})` : "";
  const frames = (error.stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at .*\/(?:app|lib|workers|components|\.next)\//.test(line))
    .slice(0, FRAMES_KEPT)
    .map((line) => /[\w.-]+:\d+:\d+/.exec(line)?.[0] ?? "");
  return [`${error.name}${mark}`, ...frames].filter(Boolean).join(" ");
}
