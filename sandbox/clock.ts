import { setTimeout as delay } from "node:timers/promises";
import { accountById } from "./accounts";
import type { Platform } from "./context";
import { inTransaction } from "./database";
import { changeRequest, expireDue } from "./platform";
import { performOneQueued } from "./queue";
import { remindRequest } from "./request";
import { deliverDue } from "./webhook-delivery";

/** Queued calls and events wait at most this long past their time. */
const REST_MS = 50;

/** Expiry and the platform's own reminders are looked at less often; a read looks by itself. */
const CALENDAR_REST_MS = 200;

/** Starts everything that the platform does by its own clock. Resolves when all of it has ended. */
export async function runClock(platform: Platform): Promise<void> {
  await Promise.all([
    ...[1, 2].map(() => repeat(platform, REST_MS, () => performOneQueued(platform))),
    // Several, so that one endpoint that hangs does not hold up the events of all accounts.
    ...[1, 2, 3].map(() => repeat(platform, REST_MS, async () => (await deliverDue(platform)) > 0)),
    repeat(platform, CALENDAR_REST_MS, async () => {
      await expireAllDue(platform);
      await remindAllDue(platform);
      return false;
    }),
  ]);
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
