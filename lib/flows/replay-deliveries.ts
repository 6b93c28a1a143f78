import { DELIVERY_WORDS } from "@/lib/domain/outbox";
import { Refusal } from "@/lib/domain/refusal";
import { recordControl } from "@/lib/store/control-events";
import { asTenant } from "@/lib/store/db";
import {
  deliveryState,
  discardDelivery,
  replayDeliveries,
  settleDeadReviews,
} from "@/lib/store/delivery-acts";
import { wakeRelay } from "@/lib/store/subscribers";
import { storeText, textSubjectOf } from "@/lib/store/vault";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";
import { typedReason } from "./typed-reason";

/**
 * Sends deliveries again under the same message ids, so that a careful receiver ignores what it has (OB-1). Returns
 * how many go out; the others are held, under way, or not of this tenant. Throws Refusal `not_permitted`.
 */
export async function replay(
  ctx: ConsoleContext,
  actor: Actor,
  ids: readonly string[],
): Promise<{ readonly replayed: number; readonly left: number }> {
  permitPerson(actor, "outbox.act");
  const { tenantId } = actor;
  const by = actorName(actor);
  return asTenant(ctx.db, tenantId, async (tx) => {
    const queued = await replayDeliveries(tx, tenantId, ids, by);
    const subscribers = [...new Set(queued.map(({ subscriberId }) => subscriberId))].sort();
    for (const subscriberId of subscribers) {
      const own = queued.filter((one) => one.subscriberId === subscriberId).map(({ id }) => id);
      await recordControl(tx, tenantId, {
        kind: "deliveries_replayed",
        about: `subscriber:${subscriberId}`,
        actor: by,
        body: { count: own.length, deliveries: own },
      });
    }
    await settleDeadReviews(tx, tenantId, subscribers);
    await wakeRelay(tx);
    return { replayed: queued.length, left: new Set(ids).size - queued.length };
  });
}

/**
 * Closes a delivery without sending it; the next one of its request goes on. Throws Refusal `delivery_not_waiting` when
 * it has ended or is being sent, `reason_empty`, `personal_data`, `not_found`, `not_permitted`.
 */
export async function discard(
  ctx: ConsoleContext,
  actor: Actor,
  deliveryId: string,
  reasonText: string,
): Promise<void> {
  permitPerson(actor, "outbox.act");
  const text = typedReason(reasonText);
  const { tenantId } = actor;
  const by = actorName(actor);
  await asTenant(ctx.db, tenantId, async (tx) => {
    const state = await deliveryState(tx, tenantId, deliveryId);
    if (state === null) throw new Refusal("not_found");
    const scope = { tenantId, vaultKey: ctx.vaultKey };
    const reason = await storeText(tx, scope, textSubjectOf(tenantId, "outbox"), text);
    const subscriberId = await discardDelivery(tx, tenantId, deliveryId, {
      by,
      reason: reason.ref,
    });
    if (subscriberId === null) {
      const values = { state: DELIVERY_WORDS[state].label.replace(/\[.*\]/, "").toLowerCase() };
      throw new Refusal("delivery_not_waiting", { values });
    }
    await recordControl(tx, tenantId, {
      kind: "delivery_discarded",
      about: `subscriber:${subscriberId}`,
      actor: by,
      body: { delivery: deliveryId, reason },
    });
    await settleDeadReviews(tx, tenantId, [subscriberId]);
    await wakeRelay(tx);
  });
}
