import { Webhook } from "standardwebhooks";
import {
  DELIVERY_LEASE_MS,
  DELIVERY_TIMEOUT_MS,
  DELIVERY_TRIES_MAX,
  pauseAfterTry,
} from "@/lib/domain/outbox";
import type { Deliver, DeliveryAnswer } from "@/lib/providers/delivery";
import { asTenant } from "@/lib/store/db";
import { openSubscriberReview, reportDelivery, stopByRelay } from "@/lib/store/delivery-reports";
import {
  type ClaimedDelivery,
  claimDeliveries,
  numberReleased,
  placeHeld,
} from "@/lib/store/outbox-relay";
import { openSubscriberSecret } from "@/lib/store/subscriber-secrets";
import type { WorkerContext } from "./worker-context";

const PLACED_AT_ONCE = 200;

/** Brings released events into line and claims at most `limit` deliveries that are due. Nothing is sent yet. */
export async function claimDueDeliveries(
  context: WorkerContext,
  limit: number,
): Promise<ClaimedDelivery[]> {
  await placeHeld(context.owner, PLACED_AT_ONCE);
  await numberReleased(context.owner, PLACED_AT_ONCE);
  return claimDeliveries(context.owner, context.worker, limit, DELIVERY_LEASE_MS);
}

/**
 * Makes the one attempt of a claimed delivery and writes what came of it (OB-1): no transaction is open while it is
 * under way, and a worker that dies in between leaves a lease that ends, after which the same message goes out again
 * under the same id. Nothing follows from an attempt whose lease was lost.
 */
export async function relayDelivery(
  context: WorkerContext,
  deliver: Deliver,
  delivery: ClaimedDelivery,
): Promise<void> {
  const answer = await deliver({
    url: delivery.url,
    headers: headersOf(context.vaultKey, delivery),
    body: delivery.body,
    timeoutMs: DELIVERY_TIMEOUT_MS,
  });
  const next = nextOf(delivery, answer, context.chance());
  const took = await asTenant(context.db, delivery.tenantId, async (tx) => {
    const kept = await reportDelivery(tx, delivery.tenantId, {
      deliveryId: delivery.id,
      attempt: delivery.attempt,
      workerId: context.worker.id,
      outcome: answer.outcome,
      status: answer.status,
      durationMs: answer.durationMs,
      ...next,
    });
    if (kept) await whatFollows(tx, delivery, answer, next.to);
    return kept;
  });
  context.log.info({
    event: took ? "delivery" : "delivery_fenced",
    tenant: delivery.tenantId,
    worker: context.worker.name,
    state: next.to,
    reason: answer.outcome,
    ms: answer.durationMs,
    ...(answer.status === null ? {} : { status: answer.status }),
  });
}

/** Standard Webhooks: while a secret takes the place of another, both sign. */
function headersOf(vaultKey: Buffer, delivery: ClaimedDelivery): Record<string, string> {
  const { tenantId, subscriberId, outboxId, body, signedAt } = delivery;
  const sealed = [
    { id: delivery.secretId, sealed: delivery.secretSealed },
    ...(delivery.previousId === null || delivery.previousSealed === null
      ? []
      : [{ id: delivery.previousId, sealed: delivery.previousSealed }]),
  ];
  const signatures = sealed.map((one) =>
    new Webhook(openSubscriberSecret(vaultKey, tenantId, subscriberId, one)).sign(
      outboxId,
      signedAt,
      body,
    ),
  );
  return {
    "user-agent": "deadline-ledger",
    "webhook-id": outboxId,
    "webhook-timestamp": String(Math.floor(signedAt.getTime() / 1000)),
    "webhook-signature": signatures.join(" "),
  };
}

function nextOf(
  { tries }: ClaimedDelivery,
  { outcome, retryAfterMs }: DeliveryAnswer,
  chance: number,
): { readonly to: "delivered" | "retrying" | "dead"; readonly nextInMs: number } {
  if (outcome === "delivered") return { to: "delivered", nextInMs: 0 };
  // The subscriber stops with it, and what waits is kept for the day on which it is started again.
  if (outcome === "gone" || outcome === "target_refused") return { to: "retrying", nextInMs: 0 };
  const pause = pauseAfterTry(tries, chance, retryAfterMs);
  return pause === null ? { to: "dead", nextInMs: 0 } : { to: "retrying", nextInMs: pause };
}

async function whatFollows(
  tx: Parameters<typeof openSubscriberReview>[0],
  { tenantId, subscriberId, id, owner, tries }: ClaimedDelivery,
  { outcome, status }: DeliveryAnswer,
  to: "delivered" | "retrying" | "dead",
): Promise<void> {
  const review = { subscriberId, owner, evidence: { delivery: id, status, n: tries } };
  if (outcome === "gone" || outcome === "target_refused") {
    await stopByRelay(tx, tenantId, subscriberId, outcome);
    const reason = outcome === "gone" ? "delivery_gone" : "delivery_target_refused";
    await openSubscriberReview(tx, tenantId, { ...review, reason });
  } else if (to === "dead") {
    const evidence = { ...review.evidence, n: DELIVERY_TRIES_MAX };
    await openSubscriberReview(tx, tenantId, { ...review, reason: "delivery_dead", evidence });
  }
}
