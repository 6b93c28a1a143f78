import { randomUUID } from "node:crypto";
import { sha256Hex } from "@/lib/domain/canonical";
import { eventIdentity, inboxOutcome } from "@/lib/domain/inbox";
import type { PlatformEvent, WebhookHeaders } from "@/lib/providers/port";
import { webhookReaderOf } from "@/lib/providers/webhooks";
import { openWebhookSecrets } from "@/lib/store/connection-secrets";
import { asTenant, ledgerNow, type Tx } from "@/lib/store/db";
import {
  type InboxDoor,
  inboxDoor,
  openInputReview,
  placeOfEvent,
  recordInboxEvent,
  tenantOfConnection,
} from "@/lib/store/inbox";
import { hastenLooks } from "@/lib/store/mirror";
import { insertReadOrder } from "@/lib/store/read-orders";
import { placeOf, seal } from "@/lib/store/vault-cipher";
import type { ConsoleContext } from "./context";

export interface Delivery {
  readonly connectionId: string;
  /** The bytes exactly as they came in; the signature is checked over nothing else (IN-1, C-15). */
  readonly raw: Uint8Array;
  readonly headers: WebhookHeaders;
}

/** `refused`: not authentic, nothing was kept. `kept`: recorded with its consequences, or kept for a person. */
export type Received = "refused" | "applied" | "unmatched" | "duplicate" | "quarantined";

/**
 * Receives one delivery (IN-1..IN-4, RC-6): checks the signature over the raw bytes against the connection's own
 * secrets, then records it with its consequences in one transaction. The answer may be sent when this resolves. An
 * event never ends anything by itself here: it hastens the looks of its request and orders an authoritative read.
 */
export async function receiveEvent(ctx: ConsoleContext, delivery: Delivery): Promise<Received> {
  const tenantId = await tenantOfConnection(ctx.db, delivery.connectionId);
  if (tenantId === null) return "refused";
  return asTenant(ctx.db, tenantId, async (tx) => {
    const door = await inboxDoor(tx, tenantId, delivery.connectionId);
    if (!door) return "refused";
    const keyId = await authenticKey(tx, ctx, door, delivery);
    if (keyId === null) {
      ctx.log.warn({ event: "webhook_refused", tenant: tenantId, connection: door.name });
      return "refused";
    }
    const event = webhookReaderOf(door.adapter).parse(delivery.raw);
    return event
      ? place(tx, ctx, door, delivery, keyId, event)
      : quarantine(tx, ctx, door, delivery, keyId);
  });
}

async function authenticKey(
  tx: Tx,
  ctx: ConsoleContext,
  door: InboxDoor,
  { connectionId, raw, headers }: Delivery,
): Promise<string | null> {
  const secrets = openWebhookSecrets(
    ctx.vaultKey,
    door.tenantId,
    connectionId,
    door.webhookSecretsSealed,
  );
  const now = (await ledgerNow(tx)).getTime();
  const verdict = webhookReaderOf(door.adapter).verify(raw, headers, secrets, now);
  return verdict.authentic ? verdict.keyId : null;
}

async function place(
  tx: Tx,
  ctx: ConsoleContext,
  { tenantId, name }: InboxDoor,
  { connectionId, raw }: Delivery,
  keyId: string,
  event: PlatformEvent,
): Promise<Received> {
  const found = await placeOfEvent(tx, tenantId, connectionId, event);
  const outcome = inboxOutcome({
    requestKnown: found.requestRef !== null,
    sendOpen: found.sendOpen,
  });
  const id = randomUUID();
  const fresh = await recordInboxEvent(tx, {
    tenantId,
    id,
    connectionId,
    identity: eventIdentity(event),
    hasEventId: event.eventId !== null,
    type: event.type,
    platformRef: event.platformRef,
    clientReference: event.clientReference,
    claimedStatus: event.status,
    occurredAt: event.occurredAt,
    outcome,
    keyId,
    bodySealed: seal(ctx.vaultKey, Buffer.from(raw), placeOf("inbox_events", tenantId, id)),
  });
  if (!fresh) return "duplicate";
  if (outcome === "quarantined") {
    await openInputReview(tx, tenantId, {
      inboxId: id,
      reason: "event_request_unknown",
      owner: "team:on-call",
    });
  }
  // The order touches the request's row, the looks touch operations: always in this sequence (C-09).
  if (found.requestRef !== null) {
    const orderedBy = `platform:${name}`;
    await insertReadOrder(tx, { tenantId, requestRef: found.requestRef, orderedBy });
  }
  const about = found.requestRef ?? found.ownSendRef;
  if (about !== null) await hastenLooks(tx, tenantId, about);
  return outcome;
}

/** Authentic and not understood: kept whole, with an owner, never dropped (IN-4). */
async function quarantine(
  tx: Tx,
  ctx: ConsoleContext,
  { tenantId }: InboxDoor,
  { connectionId, raw }: Delivery,
  keyId: string,
): Promise<Received> {
  const id = randomUUID();
  const fresh = await recordInboxEvent(tx, {
    tenantId,
    id,
    connectionId,
    identity: `bytes:${sha256Hex(Buffer.from(raw).toString("base64"))}`,
    hasEventId: false,
    type: "not_understood",
    platformRef: null,
    clientReference: null,
    claimedStatus: null,
    occurredAt: null,
    outcome: "quarantined",
    keyId,
    bodySealed: seal(ctx.vaultKey, Buffer.from(raw), placeOf("inbox_events", tenantId, id)),
  });
  if (!fresh) return "duplicate";
  await openInputReview(tx, tenantId, {
    inboxId: id,
    reason: "event_malformed",
    owner: "team:admins",
  });
  return "quarantined";
}
