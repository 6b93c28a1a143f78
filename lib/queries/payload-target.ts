import { type Payload, PayloadSchema } from "@/lib/domain/payload";

/** The payload behind a canonical text; null where it is of a later release or was tampered with. */
export function payloadOf(text: string): Payload | null {
  try {
    return PayloadSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    // A text that is no JSON is no payload; its hash, shown beside it, tells the reader.
    return null;
  }
}

/** The expiry that a payload asks for, RFC 3339; null where its kind asks for none or it cannot be read. */
export function targetText(text: string): string | null {
  const payload = payloadOf(text);
  if (payload?.kind === "extend") return payload.target.expires_at;
  return payload?.kind === "send" ? payload.expires_at : null;
}
