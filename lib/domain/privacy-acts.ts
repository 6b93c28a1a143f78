/** What people and the retention job do with personal data; each is an entry of the record of controls. */
export type PrivacyAct =
  | "erasure_asked"
  | "erasure_confirmed"
  | "erasure_refused"
  | "retention_saved"
  | "retention_run"
  | "hold_set"
  | "hold_lifted"
  | "vault_key_rotated";
