import type { Authenticity, EventContent, WebhookHeaders, WebhookSecret } from "./port";
import { readSandboxEvent } from "./sandbox/event";
import { verifyStandardWebhook } from "./webhook-signature";

/** How deliveries of one adapter are checked and read. Needs no credential of the platform (PL-1). */
export interface WebhookReader {
  verify(
    raw: Uint8Array,
    headers: WebhookHeaders,
    secrets: readonly WebhookSecret[],
    nowMs: number,
  ): Authenticity;
  read(raw: Uint8Array): EventContent;
}

/** The reader of an adapter. Throws when no adapter has that name, which is an error of configuration. */
export function webhookReaderOf(adapter: string): WebhookReader {
  switch (adapter) {
    case "sandbox":
      return { verify: verifyStandardWebhook, read: readSandboxEvent };
    default:
      throw new Error("No adapter has the name that this connection gives.");
  }
}
