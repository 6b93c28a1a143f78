import { z } from "zod";
import type { Tx } from "./db";
import { placeOf, seal, unseal } from "./vault-cipher";

const SecretsSchema = z.array(
  z.strictObject({
    keyId: z.string(),
    secret: z.string(),
    /** RFC 3339 in UTC; missing for those that were there before people made them here. */
    madeAt: z.iso.datetime().optional(),
    /** When it stops by itself; missing while it has no end. */
    until: z.iso.datetime().optional(),
  }),
);

/** One active webhook secret of a connection; two are active during a rotation (IN-1). */
export type WebhookSecretEntry = z.infer<typeof SecretsSchema>[number];

/** Seals a platform credential for its place in `connections` (PL-1). */
export function sealApiKey(key: Buffer, tenantId: string, connectionId: string, apiKey: string) {
  return seal(key, apiKey, placeOf("connections", tenantId, connectionId, "api_key"));
}

/** Opens a platform credential. Throws VaultError when the key is not the installation's or the place differs. */
export function openApiKey(key: Buffer, tenantId: string, connectionId: string, sealed: string) {
  return unseal(key, sealed, placeOf("connections", tenantId, connectionId, "api_key")).toString();
}

/** Seals the active webhook secrets of a connection. */
export function sealWebhookSecrets(
  key: Buffer,
  tenantId: string,
  connectionId: string,
  secrets: readonly WebhookSecretEntry[],
): string {
  const place = placeOf("connections", tenantId, connectionId, "webhook_secrets");
  return seal(key, JSON.stringify(secrets), place);
}

/** Opens the active webhook secrets of a connection. Throws VaultError like `openApiKey`. */
export function openWebhookSecrets(
  key: Buffer,
  tenantId: string,
  connectionId: string,
  sealed: string,
): WebhookSecretEntry[] {
  const place = placeOf("connections", tenantId, connectionId, "webhook_secrets");
  return SecretsSchema.parse(JSON.parse(unseal(key, sealed, place).toString()));
}

/** Those that hold at this database time; an end that has come counts at once, whether or not it was tidied away. */
export function activeSecrets(
  secrets: readonly WebhookSecretEntry[],
  now: Date,
): readonly WebhookSecretEntry[] {
  return secrets.filter(({ until }) => until === undefined || Date.parse(until) > now.getTime());
}

/**
 * The sealed webhook secrets of a connection, locked against other changes until the transaction ends, with the
 * database time; null when the tenant has no such connection. Deliveries go on being recorded meanwhile.
 */
export async function lockWebhookSecrets(
  tx: Tx,
  tenantId: string,
  connectionId: string,
): Promise<{ readonly sealed: string; readonly now: Date } | null> {
  const [row] = await tx.$queryRaw<{ sealed: string; now: Date }[]>`
    SELECT webhook_secrets_sealed AS sealed, ledger_now() AS now FROM connections
    WHERE tenant_id = ${tenantId}::uuid AND id = ${connectionId}::uuid FOR NO KEY UPDATE`;
  return row ?? null;
}

/** Puts sealed webhook secrets in place of those before. Every delivery that is checked after the commit sees them. */
export async function writeWebhookSecrets(
  tx: Tx,
  tenantId: string,
  connectionId: string,
  sealed: string,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE connections SET webhook_secrets_sealed = ${sealed}
    WHERE tenant_id = ${tenantId}::uuid AND id = ${connectionId}::uuid`;
}
