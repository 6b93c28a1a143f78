import { randomBytes, randomUUID } from "node:crypto";
import type { OutboxType } from "@/lib/domain/outbox";
import { claimDueDeliveries, relayDelivery } from "@/lib/flows/relay-deliveries";
import type { WorkerContext } from "@/lib/flows/worker-context";
import { createDelivery, type Deliver } from "@/lib/providers/delivery";
import { newSubscriberSecret, sealSubscriberSecret } from "@/lib/store/subscriber-secrets";
import { aRequest } from "./tenants";
import type { ShopTenant, Workshop } from "./workshop";

export interface TestSubscriber {
  readonly id: string;
  /** Name of the receiver at the sandbox. */
  readonly receiver: string;
  readonly secret: string;
}

/** Delivers to the sandbox's receivers, which live on this machine: the installation allows exactly them. */
export function shopDelivery({ sandbox }: Pick<Workshop, "sandbox">): Deliver {
  return createDelivery({ allowedTargets: [new URL(sandbox.url).host] });
}

/** A subscriber with a receiver of its own at the sandbox, or with another address. */
export async function aSubscriber(
  { ledger, sandbox }: Workshop,
  { tenantId }: Pick<ShopTenant, "tenantId">,
  given: { readonly url?: string; readonly types?: readonly OutboxType[] } = {},
): Promise<TestSubscriber> {
  const id = randomUUID();
  const receiver = `r-${randomBytes(6).toString("hex")}`;
  const made = newSubscriberSecret();
  await sandbox.control.putReceiver(receiver, { secrets: [made.secret] });
  await ledger.owner.subscriber.create({
    data: {
      tenantId,
      id,
      name: receiver,
      url: given.url ?? `${sandbox.url}/receiver/${receiver}`,
      eventTypes: [...(given.types ?? ["request.completed", "request.expired", "request.voided"])],
      secretId: made.id,
      secretSealed: sealSubscriberSecret(ledger.ctx.vaultKey, tenantId, id, made),
      createdBy: "user:test",
      changedBy: "user:test",
    },
  });
  return { id, receiver, secret: made.secret };
}

/** Released events of one request in this order; a request of its own unless given. */
export async function releasedEvents(
  { ledger }: Pick<Workshop, "ledger">,
  tenant: ShopTenant,
  types: readonly OutboxType[],
  requestRef?: string,
): Promise<{ readonly ref: string; readonly ids: readonly string[] }> {
  const ref = requestRef ?? (await aRequest(ledger.owner, tenant)).ref;
  const ids = types.map(() => randomUUID());
  for (const [place, type] of types.entries()) {
    await ledger.owner.$executeRaw`
      INSERT INTO outbox_events (tenant_id, id, request_ref, type, fact, cause, released_at)
      VALUES (${tenant.tenantId}::uuid, ${ids[place]}::uuid, ${ref}, ${type}, ${ids[place]}, '{}',
        ledger_now() + ${place}::integer * interval '1 microsecond')`;
  }
  return { ref, ids };
}

/** One round of the relay; returns how many attempts were made. */
export async function relayRound(
  worker: WorkerContext,
  deliver: Deliver,
  limit = 16,
): Promise<number> {
  const claimed = await claimDueDeliveries(worker, limit);
  await Promise.all(claimed.map((one) => relayDelivery(worker, deliver, one)));
  return claimed.length;
}

/** Rounds until there is nothing due. */
export async function relayAll(worker: WorkerContext, deliver: Deliver): Promise<number> {
  let attempts = 0;
  for (let made = await relayRound(worker, deliver); made > 0; ) {
    attempts += made;
    made = await relayRound(worker, deliver);
  }
  return attempts;
}
