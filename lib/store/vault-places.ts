import { placeOf } from "./vault-cipher";

/** The place that the sealed encryption key of a subject is bound to. */
export function cipherKeyPlace(tenantId: string, subjectRef: string): string {
  return placeOf("vault_subjects.cipher_key_sealed", tenantId, subjectRef);
}

/** The place that the sealed digest key of a subject is bound to. */
export function digestKeyPlace(tenantId: string, subjectRef: string): string {
  return placeOf("vault_subjects.digest_key_sealed", tenantId, subjectRef);
}

/** The place that a sealed entry of a subject is bound to. */
export function entryPlace(tenantId: string, subjectRef: string, entryId: string): string {
  return placeOf("vault_entries.ciphertext", tenantId, subjectRef, entryId);
}
