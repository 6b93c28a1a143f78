import { Client } from "pg";
import type { Log } from "@/lib/flows/context";
import { describeError } from "@/lib/runtime/log";

/**
 * What other processes call workers for: work that became due, reads that pages wait for, changed switches, and what
 * there is to tell subscribers.
 */
type Channel = "deadline_work" | "deadline_reads" | "deadline_controls" | "deadline_outbox";

const CHANNELS: readonly Channel[] = [
  "deadline_work",
  "deadline_reads",
  "deadline_controls",
  "deadline_outbox",
];

/**
 * The worker's own database session. It holds the worker's key as an advisory lock for as long as it lives, so that
 * others see whether this process can still send something (RC-9), and it listens for wake-up calls.
 */
export interface WorkerSession {
  /** Has `listener` called at each call on this channel, and when calls may have been missed. */
  onCall(channel: Channel, listener: () => void): void;
  close(): Promise<void>;
}

const RECONNECT_PAUSE_MS = 500;

/** Opens the session, and opens it again whenever the database drops it, until `signal`. */
export async function openSession(
  databaseUrl: string,
  sessionKey: bigint,
  log: Log,
  signal: AbortSignal,
): Promise<WorkerSession> {
  const listeners = new Map<string, (() => void)[]>();
  const call = (channel: string) => {
    for (const listener of listeners.get(channel) ?? []) listener();
  };
  let client = await open();

  async function open(): Promise<Client> {
    const fresh = new Client({ connectionString: databaseUrl, keepAlive: true });
    fresh.on("notification", (message) => call(message.channel));
    fresh.on("error", (error) => log.warn({ event: "session_lost", error: describeError(error) }));
    await fresh.connect();
    await fresh.query("SELECT pg_advisory_lock($1)", [sessionKey.toString()]);
    for (const channel of CHANNELS) await fresh.query(`LISTEN ${channel}`);
    // Only now: a session that breaks while it is opened is opened again by whoever is opening it.
    fresh.on("end", () => {
      if (!signal.aborted) reopen();
    });
    return fresh;
  }

  function reopen(): void {
    open().then(
      (fresh) => {
        client = fresh;
        CHANNELS.forEach(call);
      },
      (error: unknown) => {
        log.warn({ event: "session_not_opened", error: describeError(error) });
        if (!signal.aborted) setTimeout(reopen, RECONNECT_PAUSE_MS);
      },
    );
  }

  return {
    onCall: (channel, listener) => {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
    },
    close: () => client.end(),
  };
}
