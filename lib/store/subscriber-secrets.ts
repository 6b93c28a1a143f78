import { randomBytes } from "node:crypto";
import { placeOf, seal, unseal } from "./vault-cipher";

/** A signing secret of one subscriber; `id` names it in the log and gives nothing of it away. */
export interface SubscriberSecret {
  readonly id: string;
  /** `whsec_` and base64, as Standard Webhooks writes it. Shown once, when it is made. */
  readonly secret: string;
}

/** A fresh secret of 32 random bytes. */
export function newSubscriberSecret(): SubscriberSecret {
  return {
    id: `k_${randomBytes(4).toString("hex")}`,
    secret: `whsec_${randomBytes(32).toString("base64")}`,
  };
}

function placeOfSecret(tenantId: string, subscriberId: string, secretId: string): string {
  return placeOf("subscribers", tenantId, subscriberId, secretId);
}

/** Seals a secret for its subscriber. */
export function sealSubscriberSecret(
  key: Buffer,
  tenantId: string,
  subscriberId: string,
  { id, secret }: SubscriberSecret,
): string {
  return seal(key, secret, placeOfSecret(tenantId, subscriberId, id));
}

/** Opens a secret of a subscriber. Throws VaultError when key or place differ. */
export function openSubscriberSecret(
  key: Buffer,
  tenantId: string,
  subscriberId: string,
  sealed: { readonly id: string; readonly sealed: string },
): string {
  return unseal(key, sealed.sealed, placeOfSecret(tenantId, subscriberId, sealed.id)).toString();
}
