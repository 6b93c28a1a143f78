import { SECRET_OVERLAP_MS } from "@/lib/domain/outbox";
import { Refusal } from "@/lib/domain/refusal";
import { recordControl } from "@/lib/store/control-events";
import { asTenant } from "@/lib/store/db";
import { newSubscriberSecret, sealSubscriberSecret } from "@/lib/store/subscriber-secrets";
import { endPreviousSecret, lockSubscriber, rotateSecret } from "@/lib/store/subscribers";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";

export interface RotatedSecret {
  readonly secretId: string;
  /** Shown this once. */
  readonly secret: string;
  /** Until when the secret before signs along; RFC 3339 in UTC. */
  readonly previousUntil: string;
}

/**
 * Makes a new signing secret; the present one, which must be `shownSecretId`, signs along for a day (OB-1). Throws
 * Refusal `subscriber_changed` when somebody rotated meanwhile, `not_found`, `not_permitted`.
 */
export async function rotateSubscriberSecret(
  ctx: ConsoleContext,
  actor: Actor,
  subscriberId: string,
  shownSecretId: string,
): Promise<RotatedSecret> {
  permitPerson(actor, "outbox.act");
  const { tenantId } = actor;
  const by = actorName(actor);
  const made = newSubscriberSecret();
  return asTenant(ctx.db, tenantId, async (tx) => {
    if (!(await lockSubscriber(tx, tenantId, subscriberId))) throw new Refusal("not_found");
    const until = await rotateSecret(tx, tenantId, {
      subscriberId,
      expectedId: shownSecretId,
      secretId: made.id,
      secretSealed: sealSubscriberSecret(ctx.vaultKey, tenantId, subscriberId, made),
      overlapMs: SECRET_OVERLAP_MS,
      by,
    });
    if (until === null) throw new Refusal("subscriber_changed");
    await recordControl(tx, tenantId, {
      kind: "subscriber_secret_made",
      about: `subscriber:${subscriberId}`,
      actor: by,
      body: { secret: made.id, previous: shownSecretId },
    });
    return { secretId: made.id, secret: made.secret, previousUntil: until.toISOString() };
  });
}

/** Ends the secret before the present one at once. Throws Refusal `subscriber_changed` when none signs along. */
export async function endSubscriberSecret(
  ctx: ConsoleContext,
  actor: Actor,
  subscriberId: string,
): Promise<void> {
  permitPerson(actor, "outbox.act");
  const { tenantId } = actor;
  const by = actorName(actor);
  await asTenant(ctx.db, tenantId, async (tx) => {
    if (!(await lockSubscriber(tx, tenantId, subscriberId))) throw new Refusal("not_found");
    const secret = await endPreviousSecret(tx, tenantId, subscriberId, by);
    if (secret === null) throw new Refusal("subscriber_changed");
    const about = `subscriber:${subscriberId}`;
    const entry = { kind: "subscriber_secret_ended", about, actor: by, body: { secret } } as const;
    await recordControl(tx, tenantId, entry);
  });
}
