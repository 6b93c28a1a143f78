import { Client } from "pg";
import type { Log } from "@/lib/flows/context";
import { describeError } from "@/lib/runtime/log";

/**
 * The worker's own database session. It holds the worker's key as an advisory lock for as long as it lives, so that
 * others see whether this process can still send something (RC-9), and it listens for wake-up calls.
 */
export interface WorkerSession {
  /** Resolves at the next call on this channel. */
  woken(channel: "deadline_work" | "deadline_reads"): Promise<void>;
  close(): Promise<void>;
}

const RECONNECT_PAUSE_MS = 500;

/** Rings once, for everybody who waits. */
interface Bell {
  readonly rung: Promise<void>;
  readonly ring: () => void;
}

function newBell(): Bell {
  const settle: { ring?: () => void } = {};
  const rung = new Promise<void>((resolve) => {
    settle.ring = resolve;
  });
  return { rung, ring: () => settle.ring?.() };
}

/** Opens the session, and opens it again whenever the database drops it, until `signal`. */
export async function openSession(
  databaseUrl: string,
  sessionKey: bigint,
  log: Log,
  signal: AbortSignal,
): Promise<WorkerSession> {
  const bells = new Map<string, Bell>();
  const ring = (channel: string) => {
    bells.get(channel)?.ring();
    bells.delete(channel);
  };
  let client = await open();

  async function open(): Promise<Client> {
    const fresh = new Client({ connectionString: databaseUrl, keepAlive: true });
    fresh.on("notification", (message) => ring(message.channel));
    fresh.on("error", (error) => log.warn({ event: "session_lost", error: describeError(error) }));
    await fresh.connect();
    await fresh.query("SELECT pg_advisory_lock($1)", [sessionKey.toString()]);
    await fresh.query("LISTEN deadline_work");
    await fresh.query("LISTEN deadline_reads");
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
        ring("deadline_work");
        ring("deadline_reads");
      },
      (error: unknown) => {
        log.warn({ event: "session_not_opened", error: describeError(error) });
        if (!signal.aborted) setTimeout(reopen, RECONNECT_PAUSE_MS);
      },
    );
  }

  return {
    woken: (channel) => {
      const bell = bells.get(channel) ?? newBell();
      bells.set(channel, bell);
      return bell.rung;
    },
    close: () => client.end(),
  };
}
