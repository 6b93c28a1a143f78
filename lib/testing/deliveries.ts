import { Webhook } from "standardwebhooks";
import type { PlatformRequest, RequestStatus } from "@/lib/domain/observation";
import type { ConsoleContext } from "@/lib/flows/context";
import type { Delivery, Received } from "@/lib/flows/delivery";
import { receiveEvent } from "@/lib/flows/receive-event";
import type { WorkerContext } from "@/lib/flows/worker-context";
import { sealWebhookSecrets, type WebhookSecretEntry } from "@/lib/store/connection-secrets";
import { connect } from "@/lib/store/db";
import { aRequest, type TestTenant } from "./tenants";
import { WEBHOOK_SECRET, type Workshop } from "./workshop";

/** The second key of the cases; `WEBHOOK_SECRET` is the first. */
export const SECOND_SECRET = "whsec_b3Blbi1jYXNlLXNpZ25pbmcta2V5LTAwMg==";

/** Delivers with the patience that a busy machine needs; a real sender is answered within a second. */
export function receivePatiently(ctx: ConsoleContext, delivery: Delivery): Promise<Received> {
  return receiveEvent(ctx, delivery, 30_000);
}

/** A delivery with these headers and exactly these bytes. */
export function deliveryOf(
  connectionId: string,
  id: string,
  atSeconds: number | string,
  body: string | Uint8Array,
  signature: string,
): Delivery {
  return {
    connectionId,
    raw: Buffer.from(body),
    headers: {
      "webhook-id": id,
      "webhook-timestamp": String(atSeconds),
      "webhook-signature": signature,
    },
  };
}

/** A delivery that is signed now. */
export function signedDelivery(
  { connectionId }: Pick<TestTenant, "connectionId">,
  id: string,
  body: string,
  secret = WEBHOOK_SECRET,
): Delivery {
  const at = new Date();
  const signature = new Webhook(secret).sign(id, at, body);
  return deliveryOf(connectionId, id, Math.floor(at.getTime() / 1000), body, signature);
}

/** The body of an event as the sandbox platform words it. */
export function eventBody(
  id: string,
  platformRef: string,
  status: string,
  more: { readonly type?: string; readonly at?: string; readonly clientReference?: string } = {},
): string {
  return JSON.stringify({
    id,
    type: more.type ?? `request.${status}`,
    timestamp: more.at ?? new Date().toISOString(),
    data: { request_id: platformRef, client_reference: more.clientReference ?? null, status },
  });
}

/** Makes these the active secrets of a connection, in place of all others. */
export async function setSecrets(
  { ledger }: Pick<Workshop, "ledger">,
  { tenantId, connectionId }: TestTenant,
  secrets: readonly WebhookSecretEntry[],
): Promise<void> {
  const { vaultKey } = ledger.ctx;
  await ledger.owner.connection.update({
    where: { tenantId_id: { tenantId, id: connectionId } },
    data: { webhookSecretsSealed: sealWebhookSecrets(vaultKey, tenantId, connectionId, secrets) },
  });
}

/** Everything that is in the inbox of a tenant, in the order of receipt. */
export function inboxOf({ ledger }: Pick<Workshop, "ledger">, { tenantId }: TestTenant) {
  return ledger.owner.inboxEvent.findMany({
    where: { tenantId },
    orderBy: [{ receivedAt: "asc" }, { id: "asc" }],
  });
}

/** The ledger's mirror of a request. */
export function mirrorOf(
  { ledger }: Pick<Workshop, "ledger">,
  { tenantId }: TestTenant,
  ref: string,
) {
  return ledger.owner.request.findUniqueOrThrow({ where: { tenantId_ref: { tenantId, ref } } });
}

/** A request that the ledger knows by this reference at the platform, as a read showed it. */
export async function aKnownRequest(
  { ledger }: Pick<Workshop, "ledger">,
  tenant: TestTenant,
  platformRef: string,
  status = "sent",
): Promise<string> {
  const { tenantId } = tenant;
  const { ref } = await aRequest(ledger.owner, tenant);
  await ledger.owner.request.update({
    where: { tenantId_ref: { tenantId, ref } },
    data: { platformRef, mirrorStatus: status, mirrorRawStatus: null },
  });
  return ref;
}

/** What the platform shows of a request, where a test only cares about its status. */
export function shownAs(platformRef: string, status: RequestStatus): PlatformRequest {
  return {
    platformRef,
    clientReference: null,
    status,
    rawStatus: status,
    expiresAt: "2027-06-15T15:00:00.000Z",
    version: "2",
    lastReminderAt: null,
    platformReminders: null,
    lastDeliveryAt: null,
    signedCount: 0,
    signerCount: 2,
    signers: [],
  };
}

/** A worker whose platform answers reads from this table, and which of these it read. */
export async function workerSeeing(
  shop: Workshop,
  shown: ReadonlyMap<string, RequestStatus>,
): Promise<{ readonly worker: WorkerContext; readonly reads: string[] }> {
  const reads: string[] = [];
  const real = await shop.worker();
  const worker: WorkerContext = {
    ...real,
    providerOf: (connection) => ({
      ...real.providerOf(connection),
      readRequest: async (platformRef) => {
        const status = shown.get(platformRef);
        if (status !== undefined) reads.push(platformRef);
        return status === undefined
          ? { kind: "not_found" }
          : { kind: "read", matches: [shownAs(platformRef, status)] };
      },
    }),
  };
  return { worker, reads };
}

/**
 * Delivers to a console whose clock stands at `atMs` (epoch milliseconds), as fixed signatures need it; the clock is
 * set anew for each delivery.
 */
export async function deliverAt(
  { ledger }: Pick<Workshop, "ledger">,
  atMs: number,
  delivery: Delivery,
): Promise<Received> {
  const url = new URL(ledger.url);
  const offset = `${Math.round(atMs - Date.now())}\\ milliseconds`;
  url.searchParams.set("options", `-c role=deadline_console -c deadline.clock_offset=${offset}`);
  const db = connect(url.href.replaceAll("+", "%20"), { poolMax: 1 });
  try {
    return await receivePatiently({ ...ledger.ctx, db }, delivery);
  } finally {
    await db.$disconnect();
  }
}
