import { createHmac, timingSafeEqual } from "node:crypto";
import type { Authenticity, WebhookHeaders, WebhookSecret } from "./port";

/** Standard Webhooks: older or newer than this at receipt is refused, both ways (C-16). */
const TOLERANCE_SECONDS = 300;

/** Room for some forty signatures; a rotation needs two. More is an attempt to keep us busy (C-17). */
const SIGNATURE_HEADER_MAX = 2048;

/**
 * Checks a delivery by the Standard Webhooks scheme over its raw bytes, in constant time, against every active
 * secret and every `v1` signature (IN-1, C-15..C-17). `nowMs` is the time of receipt in epoch milliseconds. Says
 * which secret matched by its id. Never throws.
 */
export function verifyStandardWebhook(
  raw: Uint8Array,
  headers: WebhookHeaders,
  secrets: readonly WebhookSecret[],
  nowMs: number,
): Authenticity {
  const id = headers["webhook-id"] ?? "";
  const timestamp = headers["webhook-timestamp"] ?? "";
  const signatures = headers["webhook-signature"] ?? "";
  if (!/^[\x21-\x7e]{1,256}$/.test(id) || signatures.length > SIGNATURE_HEADER_MAX) {
    return { authentic: false, why: "headers" };
  }
  if (!/^\d{1,12}$/.test(timestamp)) return { authentic: false, why: "timestamp" };
  if (Math.abs(Math.floor(nowMs / 1000) - Number(timestamp)) > TOLERANCE_SECONDS) {
    return { authentic: false, why: "timestamp" };
  }
  const given = signatures.split(" ").filter((one) => one.startsWith("v1,"));
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), raw]);
  const match = secrets.find((it) => matchesAny(given, signatureOf(signed, it.secret)));
  if (!match) return { authentic: false, why: "signature" };
  const signedAtMs = Number(timestamp) * 1000;
  return { authentic: true, keyId: match.keyId, deliveryId: id, signedAtMs };
}

function signatureOf(signed: Uint8Array, secret: string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return Buffer.from(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
}

/** Compares text, not decoded bytes, so that a signature without its padding is another signature (C-17). */
function matchesAny(given: readonly string[], expected: Buffer): boolean {
  let matches = false;
  for (const one of given) {
    const bytes = Buffer.from(one);
    if (bytes.length === expected.length && timingSafeEqual(bytes, expected)) matches = true;
  }
  return matches;
}
