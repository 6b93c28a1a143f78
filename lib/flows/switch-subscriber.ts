import { Refusal } from "@/lib/domain/refusal";
import { recordControl } from "@/lib/store/control-events";
import { asTenant } from "@/lib/store/db";
import {
  insertTestEvent,
  lockSubscriber,
  startSubscriber,
  stopSubscriber,
  wakeRelay,
} from "@/lib/store/subscribers";
import { storeText, textSubjectOf } from "@/lib/store/vault";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";
import { typedReason } from "./typed-reason";

/**
 * Stops deliveries to a subscriber; what waits is kept (OB-1). A second stop changes nothing. Throws Refusal
 * `reason_empty`, `personal_data`, `not_found`, `not_permitted`.
 */
export async function stopDeliveries(
  ctx: ConsoleContext,
  actor: Actor,
  subscriberId: string,
  reasonText: string,
): Promise<void> {
  permitPerson(actor, "outbox.act");
  const text = typedReason(reasonText);
  const { tenantId } = actor;
  const by = actorName(actor);
  await asTenant(ctx.db, tenantId, async (tx) => {
    if (!(await lockSubscriber(tx, tenantId, subscriberId))) throw new Refusal("not_found");
    if (!(await stopSubscriber(tx, tenantId, subscriberId, by))) return;
    const scope = { tenantId, vaultKey: ctx.vaultKey };
    const reason = await storeText(tx, scope, textSubjectOf(tenantId, "outbox"), text);
    const about = `subscriber:${subscriberId}`;
    await recordControl(tx, tenantId, {
      kind: "subscriber_stopped",
      about,
      actor: by,
      body: { reason },
    });
  });
}

/** Starts deliveries again, in their order. Throws Refusal `not_found`, `not_permitted`. */
export async function startDeliveries(
  ctx: ConsoleContext,
  actor: Actor,
  subscriberId: string,
): Promise<void> {
  permitPerson(actor, "outbox.act");
  const { tenantId } = actor;
  await asTenant(ctx.db, tenantId, async (tx) => {
    if (!(await lockSubscriber(tx, tenantId, subscriberId))) throw new Refusal("not_found");
    if (!(await startSubscriber(tx, tenantId, subscriberId))) return;
    await recordControl(tx, tenantId, {
      kind: "subscriber_started",
      about: `subscriber:${subscriberId}`,
      actor: actorName(actor),
      body: {},
    });
    await wakeRelay(tx);
  });
}

/**
 * Sends a test event to one subscriber by the way that all events take. Returns its message id. Throws Refusal
 * `subscriber_stopped`, `not_found`, `not_permitted`.
 */
export async function sendTestEvent(
  ctx: ConsoleContext,
  actor: Actor,
  subscriberId: string,
): Promise<{ readonly messageId: string }> {
  permitPerson(actor, "outbox.act");
  const { tenantId } = actor;
  return asTenant(ctx.db, tenantId, async (tx) => {
    const subscriber = await lockSubscriber(tx, tenantId, subscriberId);
    if (!subscriber) throw new Refusal("not_found");
    if (subscriber.state === "stopped") {
      throw new Refusal("subscriber_stopped", { values: { name: subscriber.name } });
    }
    const messageId = await insertTestEvent(tx, tenantId, subscriberId);
    await recordControl(tx, tenantId, {
      kind: "subscriber_tested",
      about: `subscriber:${subscriberId}`,
      actor: actorName(actor),
      body: { message: messageId },
    });
    return { messageId };
  });
}
