import { Webhook } from "standardwebhooks";
import type { DeliveryCall } from "./delivery";

const AGENT = { "user-agent": "deadline-ledger" };

/** A message for a Slack-compatible incoming webhook, whose address is its credential. */
export function chatCall(url: string, body: string, timeoutMs: number): DeliveryCall {
  return { url, headers: AGENT, body, timeoutMs };
}

/**
 * A message for a generic webhook, signed by Standard Webhooks. `id` is the same for every try; `signedAt` is a time
 * that the receiver compares with its own clock.
 */
export function webhookCall(
  url: string,
  message: {
    readonly id: string;
    readonly body: string;
    readonly secret: string;
    readonly signedAt: Date;
  },
  timeoutMs: number,
): DeliveryCall {
  const { id, body, secret, signedAt } = message;
  return {
    url,
    headers: {
      ...AGENT,
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(signedAt.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign(id, signedAt, body),
    },
    body,
    timeoutMs,
  };
}
