import type { Authenticity, PlatformEvent, WebhookHeaders, WebhookSecret } from "./port";
import { parseSandboxEvent } from "./sandbox/event";
import { verifyStandardWebhook } from "./webhook-signature";

/** How deliveries of one adapter are checked and read. Needs no credential of the platform (PL-1). */
export interface WebhookReader {
  verify(
    raw: Uint8Array,
    headers: WebhookHeaders,
    secrets: readonly WebhookSecret[],
    nowMs: number,
  ): Authenticity;
  parse(raw: Uint8Array): PlatformEvent | null;
}

/** The reader of an adapter. Throws when no adapter has that name, which is an error of configuration. */
export function webhookReaderOf(adapter: string): WebhookReader {
  switch (adapter) {
    case "sandbox":
      return { verify: verifyStandardWebhook, parse: parseSandboxEvent };
    default:
      throw new Error("No adapter has the name that this connection gives.");
  }
}
