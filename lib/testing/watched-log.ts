import type { Log, LogEntry } from "@/lib/flows/context";

/** An address, a secret or a signing link, as tests use them; an identifier of ours looks like none of these. */
const PERSONAL = /[^\s"@]+@[^\s"@]+\.[a-z]{2,}|whsec_|bearer |\/s\/tok_|\+\d[\d ]{8,}\d/i;

export interface WatchedLog {
  readonly log: Log;
  /** Throws when a line held something personal or a secret (PV-4), naming its event. */
  refuseLeaks(): void;
}

/** A log that keeps nothing but what it must never be given: every flow that a test runs is watched by it. */
export function watchedLog(): WatchedLog {
  const leaking = new Set<string>();
  const watch = (entry: LogEntry) => {
    if (PERSONAL.test(JSON.stringify(entry))) leaking.add(entry.event);
  };
  return {
    log: { debug: watch, info: watch, warn: watch, error: watch },
    refuseLeaks: () => {
      if (leaking.size > 0) throw new Error(`logged what is personal: ${[...leaking].join(", ")}`);
    },
  };
}
