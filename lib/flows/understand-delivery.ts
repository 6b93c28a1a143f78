import { createHash, randomUUID } from "node:crypto";
import { deliveryIdentity, eventIdentity } from "@/lib/domain/inbox";
import type { EventContent, RefusalCause, WebhookSecret } from "@/lib/providers/port";
import { webhookReaderOf } from "@/lib/providers/webhooks";
import { activeSecrets, openWebhookSecrets } from "@/lib/store/connection-secrets";
import type { InboxDoor, NewInboxEvent } from "@/lib/store/inbox";
import type { RecordedEvent } from "@/lib/store/inbox-places";
import { placeOf, seal } from "@/lib/store/vault-cipher";
import { descriptorOf } from "./apply-event";
import type { Arrival } from "./delivery";

/**
 * An authentic delivery as it is recorded. Exactly one of `event` and `setAside` is there. Identity: the platform's id
 * counts only where the descriptor says that it keeps one over its retries.
 */
export interface Understood {
  readonly authentic: true;
  readonly row: Omit<NewInboxEvent, "copies">;
  /** What can be applied. */
  readonly event: RecordedEvent | null;
  /** Why a person looks at it instead, and who (IN-4). */
  readonly setAside: SetAside | null;
}

export interface SetAside {
  readonly reason: string;
  readonly owner: string;
  readonly evidence: object;
}

export type Checked = Understood | { readonly authentic: false; readonly why: RefusalCause };

/** The secrets that are active at this door now. Throws VaultError when they are not sealed by this key. */
export function openSecrets(vaultKey: Buffer, door: InboxDoor): readonly WebhookSecret[] {
  const { tenantId, connectionId, webhookSecretsSealed, now } = door;
  const secrets = openWebhookSecrets(vaultKey, tenantId, connectionId, webhookSecretsSealed);
  return activeSecrets(secrets, now);
}

/**
 * Checks a delivery over its raw bytes and says what is recorded of it (IN-1, IN-3, IN-4). The time of receipt is the
 * door's database time less what passed since, by `checkedAtMs` of `performance.now()`.
 */
export function checkDelivery(
  vaultKey: Buffer,
  door: InboxDoor,
  secrets: readonly WebhookSecret[],
  arrival: Arrival,
  checkedAtMs: number,
): Checked {
  const reader = webhookReaderOf(door.adapter);
  const receivedAtMs = door.now.getTime() - (checkedAtMs - arrival.arrivedAtMs);
  const verdict = reader.verify(arrival.raw, arrival.headers, secrets, receivedAtMs);
  if (!verdict.authentic) return { authentic: false, why: verdict.why };
  const deliveryId = descriptorOf(door).eventId ? verdict.deliveryId : null;
  const content = reader.read(arrival.raw);
  const setAside = setAsideOf(door, content);
  const id = randomUUID();
  const raw = Buffer.from(arrival.raw);
  const row = {
    id,
    ...identityOf(content, deliveryId, raw),
    source: "webhook",
    ...columnsOf(content),
    signedAt: new Date(verdict.signedAtMs).toISOString(),
    outcome: setAside === null ? "received" : "quarantined",
    keyId: verdict.keyId,
    bodySealed: seal(vaultKey, raw, placeOf("inbox_events", door.tenantId, id)),
    bodyDigest: createHash("sha256").update(raw).digest("hex"),
  } as const;
  const event = setAside === null ? eventOf(door, row) : null;
  return { authentic: true, row, event, setAside };
}

/** Why what was read of a delivery needs a person; null when it can be applied. */
export function setAsideOf(
  { owner, platformAccount }: Pick<InboxDoor, "owner" | "platformAccount">,
  content: EventContent,
): SetAside | null {
  if (content.kind === "unreadable") {
    const reason = content.twice ? "event_duplicate_members" : "event_malformed";
    return { reason, owner, evidence: {} };
  }
  const { account, type } = content.event;
  if (account !== null && platformAccount !== null && account !== platformAccount) {
    return { reason: "event_foreign_account", owner, evidence: {} };
  }
  if (content.kind === "event") return null;
  return { reason: "event_type_unknown", owner, evidence: { type } };
}

/** What stands in an inbox row of what was read. */
export function columnsOf(content: EventContent) {
  if (content.kind === "unreadable") {
    const none = {
      platformRef: null,
      clientReference: null,
      claimedStatus: null,
      occurredAt: null,
    };
    return { type: "not_understood", ...none };
  }
  const { type, platformRef, clientReference, status, occurredAt } = content.event;
  return { type, platformRef, clientReference, claimedStatus: status, occurredAt };
}

function identityOf(content: EventContent, deliveryId: string | null, raw: Buffer) {
  if (content.kind !== "unreadable") {
    const { event } = content;
    const hasEventId = deliveryId !== null;
    const ids = { eventId: hasEventId ? event.eventId : null, deliveryId };
    return { identity: eventIdentity(event, ids), hasEventId };
  }
  if (deliveryId !== null) return { identity: deliveryIdentity(deliveryId), hasEventId: true };
  const digest = createHash("sha256").update(raw.toString("base64")).digest("hex");
  return { identity: `bytes:${digest}`, hasEventId: false };
}

/** A row as it is applied; null where it names no request. */
export function eventOf(
  { connectionId }: Pick<InboxDoor, "connectionId">,
  row: Pick<NewInboxEvent, "id" | "hasEventId" | "type" | "platformRef" | "clientReference"> & {
    readonly claimedStatus: string | null;
    readonly occurredAt: string | null;
  },
): RecordedEvent | null {
  const { id, hasEventId, type, platformRef, clientReference, claimedStatus, occurredAt } = row;
  if (platformRef === null) return null;
  return {
    id,
    connectionId,
    hasEventId,
    type,
    platformRef,
    clientReference,
    status: claimedStatus,
    occurredAt: occurredAt === null ? null : new Date(occurredAt),
  };
}
