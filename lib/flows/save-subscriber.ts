import { randomUUID } from "node:crypto";
import type { OutboxType } from "@/lib/domain/outbox";
import { Refusal } from "@/lib/domain/refusal";
import { recordControl } from "@/lib/store/control-events";
import { asTenant } from "@/lib/store/db";
import { newSubscriberSecret, sealSubscriberSecret } from "@/lib/store/subscriber-secrets";
import { changeSubscriber, insertSubscriber, lockSubscriber } from "@/lib/store/subscribers";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { hookAddress } from "./hook-address";
import { permitPerson } from "./permit";

export interface SubscriberWish {
  readonly name: string;
  readonly url: string;
  readonly eventTypes: readonly OutboxType[];
}

export interface AddedSubscriber {
  readonly id: string;
  readonly secretId: string;
  /** Shown this once. */
  readonly secret: string;
}

/**
 * Adds somebody who is told of what is released from now on (OB-1). Throws Refusal `delivery_target_refused` for an
 * address that leads into an internal network, `subscriber_name_taken`, `fields_unusable`, `not_permitted`.
 */
export async function addSubscriber(
  ctx: ConsoleContext,
  actor: Actor,
  wish: SubscriberWish,
): Promise<AddedSubscriber> {
  permitPerson(actor, "outbox.act");
  const url = hookAddress(ctx, wish.url, "url").href;
  const { tenantId } = actor;
  const id = randomUUID();
  const made = newSubscriberSecret();
  const by = actorName(actor);
  await asTenant(ctx.db, tenantId, async (tx) => {
    const added = await insertSubscriber(tx, tenantId, {
      ...wish,
      id,
      url,
      secretId: made.id,
      secretSealed: sealSubscriberSecret(ctx.vaultKey, tenantId, id, made),
      by,
    });
    if (!added) throw new Refusal("subscriber_name_taken");
    const body = { events: wish.eventTypes, secret: made.id };
    const about = `subscriber:${id}`;
    await recordControl(tx, tenantId, { kind: "subscriber_added", about, actor: by, body });
  });
  return { id, secretId: made.id, secret: made.secret };
}

/** Changes name, address or events of a subscriber. Throws Refusal as `addSubscriber`, and `not_found`. */
export async function saveSubscriber(
  ctx: ConsoleContext,
  actor: Actor,
  id: string,
  wish: SubscriberWish,
): Promise<void> {
  permitPerson(actor, "outbox.act");
  const url = hookAddress(ctx, wish.url, "url").href;
  const { tenantId } = actor;
  const by = actorName(actor);
  await asTenant(ctx.db, tenantId, async (tx) => {
    const before = await lockSubscriber(tx, tenantId, id);
    if (!before) throw new Refusal("not_found");
    const fields = [
      ...(before.name === wish.name ? [] : ["name"]),
      ...(before.url === url ? [] : ["address"]),
      ...(sameSet(before.eventTypes, wish.eventTypes) ? [] : ["events"]),
    ];
    if (fields.length === 0) return;
    const changed = await changeSubscriber(tx, tenantId, { ...wish, id, url, by });
    if (!changed) throw new Refusal("subscriber_name_taken");
    const about = `subscriber:${id}`;
    const body = { fields, events: wish.eventTypes };
    await recordControl(tx, tenantId, { kind: "subscriber_changed", about, actor: by, body });
  });
}

function sameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}
