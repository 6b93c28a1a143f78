import { type OverlapHours, WEBHOOK_SECRETS_MAX } from "@/lib/domain/connection-acts";
import { Refusal } from "@/lib/domain/refusal";
import {
  activeSecrets,
  lockWebhookSecrets,
  openWebhookSecrets,
  sealWebhookSecrets,
  writeWebhookSecrets,
} from "@/lib/store/connection-secrets";
import { recordControl } from "@/lib/store/control-events";
import { asTenant } from "@/lib/store/db";
import { newSubscriberSecret } from "@/lib/store/subscriber-secrets";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";

const HOUR_MS = 3_600_000;

export interface SecretWish {
  readonly connectionId: string;
  /** The ids of the active secrets as they were on screen, in any order. */
  readonly shownKeyIds: readonly string[];
  readonly overlapHours: OverlapHours;
}

export interface MadeWebhookSecret {
  readonly keyId: string;
  /** Shown this once. */
  readonly secret: string;
  /** Until when the secret before is accepted along; RFC 3339 in UTC. Null where there was none. */
  readonly previousUntil: string | null;
}

/**
 * Makes a new secret for the deliveries of a connection (IN-1). It holds from the commit on; the one before is accepted
 * along and gets an end. Throws Refusal `webhook_secrets_changed` when others are active than were on screen,
 * `webhook_secrets_full` when two are, `not_found`, `not_permitted`.
 */
export async function rotateWebhookSecret(
  ctx: ConsoleContext,
  actor: Actor,
  { connectionId, shownKeyIds, overlapHours }: SecretWish,
): Promise<MadeWebhookSecret> {
  permitPerson(actor, "connection.save");
  const { tenantId } = actor;
  const made = newSubscriberSecret();
  return asTenant(ctx.db, tenantId, async (tx) => {
    const found = await lockWebhookSecrets(tx, tenantId, connectionId);
    if (!found) throw new Refusal("not_found");
    const kept = openWebhookSecrets(ctx.vaultKey, tenantId, connectionId, found.sealed);
    const active = activeSecrets(kept, found.now);
    if (!sameIds(active, shownKeyIds)) throw new Refusal("webhook_secrets_changed");
    if (active.length >= WEBHOOK_SECRETS_MAX) throw new Refusal("webhook_secrets_full");
    const end = new Date(found.now.getTime() + overlapHours * HOUR_MS).toISOString();
    const before = active.map((one) => ({ ...one, until: end }));
    const fresh = { keyId: made.id, secret: made.secret, madeAt: found.now.toISOString() };
    const secrets = [...before, fresh];
    const sealed = sealWebhookSecrets(ctx.vaultKey, tenantId, connectionId, secrets);
    await writeWebhookSecrets(tx, tenantId, connectionId, sealed);
    const previous = before[0] ?? null;
    await recordControl(tx, tenantId, {
      kind: "webhook_secret_made",
      about: `connection:${connectionId}`,
      actor: actorName(actor),
      body: {
        secret: made.id,
        previous: previous?.keyId ?? null,
        overlap_hours: previous === null ? null : overlapHours,
      },
    });
    return { keyId: made.id, secret: made.secret, previousUntil: previous?.until ?? null };
  });
}

function sameIds(active: readonly { readonly keyId: string }[], shown: readonly string[]): boolean {
  return active.length === shown.length && active.every(({ keyId }) => shown.includes(keyId));
}
