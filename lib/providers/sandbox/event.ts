import { z } from "zod";
import { parseStrictJson } from "@/lib/domain/canonical";
import type { PlatformEvent } from "@/lib/providers/port";
import { Reference } from "./wire";

const Word = z.string().regex(/^[a-z_]{1,40}$/);

const WireEvent = z.object({
  id: Reference.optional(),
  type: z.string().regex(/^request\.[a-z_]{1,40}$/),
  timestamp: z.iso.datetime({ offset: true }).optional(),
  data: z.object({
    request_id: Reference,
    client_reference: Reference.nullish(),
    status: Word.nullish(),
  }),
});

/**
 * Reads an authentic delivery. Null for what cannot be understood: no JSON, a member given twice, an unknown
 * shape (IN-4); the caller keeps the bytes and quarantines them.
 */
export function parseSandboxEvent(raw: Uint8Array): PlatformEvent | null {
  const event = WireEvent.safeParse(jsonOf(raw));
  if (!event.success) return null;
  const { id, type, timestamp, data } = event.data;
  return {
    eventId: id ?? null,
    type,
    platformRef: data.request_id,
    clientReference: data.client_reference ?? null,
    status: data.status ?? null,
    occurredAt: timestamp ?? null,
  };
}

function jsonOf(raw: Uint8Array): unknown {
  try {
    return parseStrictJson(new TextDecoder("utf-8", { fatal: true }).decode(raw));
  } catch {
    // Not UTF-8 or not strict JSON: undefined fits no schema, so the event counts as not understood.
    return undefined;
  }
}
