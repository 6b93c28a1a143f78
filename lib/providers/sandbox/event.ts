import { z } from "zod";
import { parseStrictJson } from "@/lib/domain/canonical";
import { CanonicalError } from "@/lib/domain/canonical-error";
import { REQUEST_STATUSES } from "@/lib/domain/observation";
import type { EventContent, PlatformEvent } from "@/lib/providers/port";
import { DocumentEvent, isDocumentEvent, ofDocumentEvent } from "./document-event";
import { Reference } from "./wire";

const Word = z.string().regex(/^[a-z_]{1,40}$/);

const WireEvent = z.object({
  id: Reference.optional(),
  type: z.string().regex(/^request\.[a-z_]{1,40}$/),
  timestamp: z.iso.datetime({ offset: true }).optional(),
  account: Reference.nullish(),
  data: z.object({
    request_id: Reference,
    client_reference: Reference.nullish(),
    status: Word.nullish(),
  }),
});

/** What the platform may tell of a request, after `request.`; everything else is a type that we do not know. */
const KNOWN = [
  "sent",
  "viewed",
  "signed",
  "completed",
  "declined",
  "reminded",
  "resent",
  "reminders_set",
  "extended",
  "expired",
  "voided",
];

/**
 * Reads an authentic delivery (IN-4): an event, an event of a type that we do not know, or nothing that can be
 * understood, such as no JSON, a member given twice or an unknown shape.
 */
export function readSandboxEvent(raw: Uint8Array): EventContent {
  const body = jsonOf(raw);
  if (!body.ok) return { kind: "unreadable", twice: body.twice };
  if (isDocumentEvent(body.value)) {
    const event = DocumentEvent.safeParse(body.value);
    return event.success ? ofDocumentEvent(event.data) : { kind: "unreadable", twice: false };
  }
  const event = WireEvent.safeParse(body.value);
  if (!event.success) return { kind: "unreadable", twice: false };
  const { id, type, timestamp, data, account } = event.data;
  const what = type.slice("request.".length);
  return {
    kind: KNOWN.includes(what) ? "event" : "unknown_type",
    event: {
      eventId: id ?? null,
      type,
      account: account ?? null,
      platformRef: data.request_id,
      clientReference: data.client_reference ?? null,
      status: data.status ?? REQUEST_STATUSES.find((status) => status === what) ?? null,
      occurredAt: timestamp ?? null,
      times: timestamp === undefined ? [] : [timestamp],
    },
  };
}

/** The event of a delivery; null for what cannot be understood. */
export function parseSandboxEvent(raw: Uint8Array): PlatformEvent | null {
  const content = readSandboxEvent(raw);
  return content.kind === "event" ? content.event : null;
}

type Json = { readonly ok: true; readonly value: unknown } | { readonly ok: false; twice: boolean };

function jsonOf(raw: Uint8Array): Json {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(raw);
    return { ok: true, value: parseStrictJson(text) };
  } catch (error) {
    // Not UTF-8 or not strict JSON: it is kept as it came and a person looks at it.
    return {
      ok: false,
      twice: error instanceof CanonicalError && error.code === "duplicate_member",
    };
  }
}
