import { z } from "zod";
import { placeOf, seal, unseal } from "./vault-cipher";

const SecretsSchema = z.array(z.strictObject({ keyId: z.string(), secret: z.string() }));

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
