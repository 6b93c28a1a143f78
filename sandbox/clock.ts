import { setTimeout as delay } from "node:timers/promises";
import { accountById } from "./accounts";
import type { Platform } from "./context";
import { inTransaction } from "./database";
import { changeRequest, expireDue } from "./platform";
import { performOneQueued } from "./queue";
import { remindRequest } from "./request";
import { startDue } from "./webhook-delivery";

/** Queued calls and events wait at most this long past their time. */
const REST_MS = 100;

/** Expiry and the platform's own reminders are looked at less often; a read looks by itself. */
const CALENDAR_REST_MS = 200;

/** Endpoints that hang may hold this many attempts before new ones have to wait. */
const ATTEMPTS_MAX = 200;

/** Starts everything that the platform does by its own clock. Resolves when all of it has ended. */
export async function runClock(platform: Platform): Promise<void> {
  const attempts = new Set<Promise<void>>();
  await Promise.all([
    repeat(platform, REST_MS, () => performOneQueued(platform)),
    repeat(platform, REST_MS, () => deliver(platform, attempts)),
    repeat(platform, CALENDAR_REST_MS, async () => {
      await expireAllDue(platform);
      await remindAllDue(platform);
      return false;
    }),
  ]);
  await Promise.all(attempts);
}

/** Does not wait for the attempts, so that one endpoint that hangs holds up nobody else's events. */
async function deliver(platform: Platform, attempts: Set<Promise<void>>): Promise<boolean> {
  if (attempts.size >= ATTEMPTS_MAX) return false;
  const started = await startDue(platform);
  for (const attempt of started) {
    // A result that could not be stored leaves the delivery waiting: it is attempted again.
    const settled = attempt.catch(() => undefined).finally(() => attempts.delete(settled));
    attempts.add(settled);
  }
  return started.length > 0;
}

/** Runs `pass` until the platform stops: at once again while it finds work, else after a rest. */
async function repeat(
  platform: Platform,
  restMs: number,
  pass: () => Promise<boolean>,
): Promise<void> {
  while (!platform.stopping.aborted) {
    const worked = await pass().catch(() => false);
    // A pass that failed met a database that is away; the next one finds the same work again.
    if (!worked) {
      await delay(restMs, undefined, { signal: platform.stopping }).catch(() => undefined);
    }
  }
}

interface DueRequest {
  id: string;
  account_id: string;
}

async function expireAllDue(platform: Platform): Promise<void> {
  const { rows } = await platform.database.query<DueRequest>(
    `SELECT r.id, r.account_id FROM requests r JOIN accounts a ON a.id = r.account_id
     WHERE r.is_open AND r.expires_at <= $1::timestamptz + a.clock_offset_ms * interval '1 ms'
     ORDER BY r.expires_at LIMIT 500`,
    [new Date(platform.now())],
  );
  for (const row of rows) {
    const account = await accountById(platform.database, row.account_id);
    if (account) await expireDue(platform, account, row.id);
  }
}

async function remindAllDue(platform: Platform): Promise<void> {
  const { rows } = await platform.database.query<DueRequest>(
    `SELECT r.id, r.account_id FROM requests r JOIN accounts a ON a.id = r.account_id
     WHERE r.is_open AND r.sends_reminders AND a.reminders_every_ms IS NOT NULL
       AND COALESCE(r.document->>'lastReminderAt', r.document->>'sentAt')::timestamptz
         + a.reminders_every_ms * interval '1 ms'
         <= $1::timestamptz + a.clock_offset_ms * interval '1 ms'
     ORDER BY r.id LIMIT 500`,
    [new Date(platform.now())],
  );
  for (const row of rows) await remindByClock(platform, row);
}

async function remindByClock(platform: Platform, row: DueRequest): Promise<void> {
  const account = await accountById(platform.database, row.account_id);
  if (!account) return;
  const at = new Date(platform.now() + account.clockOffsetMs).toISOString();
  await inTransaction(platform.database, (tx) =>
    changeRequest(platform, tx, {
      account,
      requestId: row.id,
      source: "clock",
      transition: (request) => remindRequest(request, [], at),
    }),
  );
}
