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
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";

/**
 * Removes a secret of a connection at once (IN-1): whatever is checked after the commit, in any process, no longer
 * accepts it. The one that is left loses its end, so that a rotation which is taken back does not stop deliveries later.
 * The last one may go too; then nothing is accepted until a new one is made. Throws Refusal
 * `webhook_secrets_changed` when it is not active any more, `not_found`, `not_permitted`.
 */
export async function endWebhookSecret(
  ctx: ConsoleContext,
  actor: Actor,
  connectionId: string,
  keyId: string,
): Promise<void> {
  permitPerson(actor, "connection.save");
  const { tenantId } = actor;
  await asTenant(ctx.db, tenantId, async (tx) => {
    const found = await lockWebhookSecrets(tx, tenantId, connectionId);
    if (!found) throw new Refusal("not_found");
    const kept = openWebhookSecrets(ctx.vaultKey, tenantId, connectionId, found.sealed);
    const active = activeSecrets(kept, found.now);
    const rest = active
      .filter((one) => one.keyId !== keyId)
      .map(({ until: _ended, ...one }) => one);
    if (rest.length === active.length) throw new Refusal("webhook_secrets_changed");
    const sealed = sealWebhookSecrets(ctx.vaultKey, tenantId, connectionId, rest);
    await writeWebhookSecrets(tx, tenantId, connectionId, sealed);
    await recordControl(tx, tenantId, {
      kind: "webhook_secret_ended",
      about: `connection:${connectionId}`,
      actor: actorName(actor),
      body: { secret: keyId, left: rest[0]?.keyId ?? null },
    });
  });
}
