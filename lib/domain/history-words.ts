/** What operators did beside the operations, by the code of the record: a verb in the past, as a row of a list says it. */
const ACTION_WORDS: Readonly<Record<string, string>> = {
  paused: "paused",
  resume_asked: "asked to resume",
  resumed: "resumed",
  ramp_ended: "ended the ramp",
  mode_changed: "changed a mode",
  mode_asked: "asked to let a kind go live",
  limits_changed: "changed limits",
  policy_saved: "saved a policy",
  routing_saved: "saved routing rules",
  rota_saved: "saved the rota",
  capabilities_changed: "changed what a platform promises",
  contact_revealed: "revealed a contact",
  raw_revealed: "revealed a raw body",
  event_replayed: "replayed an event",
  check_asked: "asked for a check of the history",
  pack_asked: "asked for an evidence pack",
  pack_taken: "took an evidence pack away",
  history_exported: "exported history",
  member_added: "added a member",
  member_role_changed: "changed a member's role",
  member_removed: "removed a member",
  member_sessions_ended: "ended sessions of a member",
  erasure_asked: "asked for an erasure",
  erasure_confirmed: "confirmed an erasure",
  erasure_refused: "refused an erasure",
  retention_saved: "saved a retention rule",
  retention_run: "ran retention",
  hold_set: "set a hold",
  hold_lifted: "lifted a hold",
  vault_key_rotated: "rotated the vault key",
  signed_in: "signed in",
  review_assigned: "took a review item",
  review_handed_over: "handed a review item over",
  review_acknowledged: "acknowledged a review item",
  review_snoozed: "snoozed a review item",
  review_decided: "decided a review item",
  review_override_asked: "asked for an override",
  review_override_confirmed: "confirmed an override",
  review_override_refused: "refused an override",
  review_seen: "marked a review item as seen",
  review_closed: "closed a review item",
};

/** What an entry of the history says was done; a code that has no words yet is said as it is. */
export function actionWords(code: string): string {
  return ACTION_WORDS[code] ?? code.replaceAll("_", " ");
}

/** Actions of operators that the list offers as a filter. */
export const ACTION_CODES: readonly string[] = Object.keys(ACTION_WORDS);

/** Entries beside an operation's moves. */
const ENTRY_WORDS: Readonly<Record<string, string>> = {
  edited: "edited the proposal",
  approved_one: "gave one approval",
  approval_withdrawn: "withdrew an approval",
  check_asked: "asked for a look",
  late_result: "reported late",
  successor_recorded: "recorded a replacement",
};

/** What an entry of an operation's history that is no move says; null for a move. */
export function entryWords(kind: string): string | null {
  return kind === "transition" ? null : (ENTRY_WORDS[kind] ?? kind.replaceAll("_", " "));
}
