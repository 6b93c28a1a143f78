import { z } from "zod";
import type { RequestStatus } from "@/lib/domain/observation";
import type { EventContent } from "@/lib/providers/port";

const STATUS: Readonly<Record<string, RequestStatus>> = {
  DOCUMENT_SENT: "sent",
  DOCUMENT_OPENED: "viewed",
  DOCUMENT_COMPLETED: "completed",
  DOCUMENT_REJECTED: "declined",
  DOCUMENT_CANCELLED: "voided",
};

const Instant = z.iso.datetime({ offset: true });

/**
 * The other form of event that platforms send: named after documents, without an id, and with the moment of the
 * delivery in the body (C-19).
 */
export const DocumentEvent = z.object({
  event: z.string().regex(/^[A-Z_]{1,40}$/),
  payload: z.object({
    id: z.union([z.int().nonnegative(), z.string().regex(/^[A-Za-z0-9_-]{1,100}$/)]),
    completedAt: Instant.nullish(),
    recipients: z
      .array(z.object({ id: z.union([z.int(), z.string().max(100)]), signedAt: Instant.nullish() }))
      .max(500)
      .default([]),
  }),
});

/** True for a body that names its event like this, whether or not the rest can be read. */
export function isDocumentEvent(body: unknown): boolean {
  return typeof body === "object" && body !== null && "event" in body && !("type" in body);
}

/** What such a body tells. Its own times are when signers signed and when it was completed, never `createdAt`. */
export function ofDocumentEvent({ event, payload }: z.infer<typeof DocumentEvent>): EventContent {
  const status = STATUS[event] ?? null;
  const signed = payload.recipients.map(({ id, signedAt }) => `${id}=${signedAt ?? ""}`).sort();
  return {
    kind: status === null ? "unknown_type" : "event",
    event: {
      eventId: null,
      type: `document.${event.replace(/^DOCUMENT_/, "").toLowerCase()}`,
      account: null,
      platformRef: String(payload.id),
      clientReference: null,
      status,
      occurredAt: payload.completedAt ?? null,
      times: [payload.completedAt ?? "", ...signed],
    },
  };
}
