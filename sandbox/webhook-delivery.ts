import { Webhook } from "standardwebhooks";
import { request } from "undici";
import type { Platform } from "./context";

/** Growing gaps between attempts, in milliseconds; when they are used up, delivery is given up. */
const RETRY_GAPS_MS = [100, 300, 1000, 3000, 10_000];

/** An endpoint that takes longer counts as not reached. */
const ANSWER_WITHIN_MS = 5000;

const AT_ONCE = 20;

interface DueDelivery {
  id: string;
  event_id: string;
  body: string;
  attempts: number;
  webhook_url: string;
  webhook_secret: string;
  clock_offset_ms: number;
}

/**
 * Starts an attempt for deliveries that are due, at least one each: one that was received may come again. Returns
 * the attempts under way; none of them rejects for what an endpoint does.
 */
export async function startDue(platform: Platform): Promise<Promise<void>[]> {
  // The next attempt is set before this one is made, so that a crash in between repeats it.
  const { rows } = await platform.database.query<DueDelivery>(
    `WITH due AS MATERIALIZED (
       SELECT id FROM webhook_deliveries WHERE state = 'waiting' AND due_at <= $1
       ORDER BY due_at, id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED
     )
     UPDATE webhook_deliveries d SET attempts = attempts + 1, due_at = $2 FROM due, accounts a
     WHERE d.id = due.id AND a.id = d.account_id
     RETURNING d.id, d.event_id, d.body, d.attempts, a.webhook_url, a.webhook_secret,
       a.clock_offset_ms`,
    [new Date(platform.now()), new Date(platform.now() + 2 * ANSWER_WITHIN_MS)],
  );
  const inOrder = rows.sort((a, b) => Number(a.id) - Number(b.id));
  return inOrder.map((delivery) => attempt(platform, delivery));
}

async function attempt(platform: Platform, delivery: DueDelivery): Promise<void> {
  const received = await post(platform, delivery);
  const gap = RETRY_GAPS_MS[delivery.attempts - 1];
  const state = received ? "delivered" : gap === undefined ? "given_up" : "waiting";
  await platform.database.query(
    "UPDATE webhook_deliveries SET state = $2, due_at = $3 WHERE id = $1",
    [delivery.id, state, new Date(platform.now() + (gap ?? 0))],
  );
}

async function post(platform: Platform, delivery: DueDelivery): Promise<boolean> {
  const signedAt = new Date(platform.now() + delivery.clock_offset_ms);
  const signature = new Webhook(delivery.webhook_secret).sign(
    delivery.event_id,
    signedAt,
    delivery.body,
  );
  try {
    const response = await request(delivery.webhook_url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "webhook-id": delivery.event_id,
        "webhook-timestamp": String(Math.floor(signedAt.getTime() / 1000)),
        "webhook-signature": signature,
      },
      body: delivery.body,
      signal: AbortSignal.any([AbortSignal.timeout(ANSWER_WITHIN_MS), platform.stopping]),
    });
    await response.body.dump();
    return response.statusCode >= 200 && response.statusCode < 300;
  } catch {
    // Not reached, for whatever reason: the next attempt is already planned.
    return false;
  }
}
