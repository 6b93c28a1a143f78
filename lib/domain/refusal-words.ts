interface RefusalWord {
  /** The HTTP status of the answer. */
  readonly status: number;
  readonly sentence: string;
}

function refusal<const Status extends number, const Text extends string>(
  status: Status,
  sentence: Text,
) {
  return { status, sentence } as const;
}

/** What is refused at the door. Nothing has changed when one of these is shown. */
export const REFUSALS = {
  approval_stale: refusal(
    409,
    "This proposal changed while you were reading. Compare and approve again.",
  ),
  request_state_changed: refusal(
    409,
    "The request moved from {old} to {new}. Read again before approving.",
  ),
  already_approved: refusal(200, "Already approved by {who} at {moment}."),
  already_decided: refusal(409, "{role} decided this at {moment}[: {decision}]."),
  approval_expired: refusal(
    409,
    "Nobody approved before {moment}. Propose again if it is still wanted.",
  ),
  operation_moved_on: refusal(
    409,
    "This operation is {state} by now. Open it to see what happened.",
  ),
  open_operation_exists: refusal(
    409,
    "An open operation for the same change exists[: {op}]. Open it, or give a reason to go on.",
  ),
  key_reused: refusal(
    409,
    "This key belongs to another payload. Different: {fields}. First operation: {op}, {state}.",
  ),
  identity_retired: refusal(
    409,
    "This key was used before and its data were erased. It stays closed; use a new decision.",
  ),
  selection_changed: refusal(409, "{n} of {m} items changed since you selected them."),
  same_person: refusal(403, "You proposed or edited this. Another person must approve."),
  not_permitted: refusal(403, "Your role may not do this here."),
  access_ended: refusal(403, "You no longer have access to that tenant."),
  foreign_origin: refusal(403, "The request came from another site and was refused."),
  session_ended: refusal(401, "You were signed out. Sign in; your draft is kept."),
  sign_in_refused: refusal(401, "Account or password is not right."),
  credential_refused: refusal(401, "The API key is missing, unknown or revoked."),
  not_found: refusal(404, "There is nothing here, or you may not see it."),
  deadline_in_past: refusal(422, "{time} has passed."),
  deadline_not_later: refusal(422, "The present expiry is {now}; an extension must be later."),
  time_gap: refusal(
    422,
    "{time} does not exist on {day} in {zone}. Clocks go from {before} to {after}. Answer the question about the time first.",
  ),
  time_twice: refusal(
    422,
    "{time} happens twice on {day} in {zone}. Answer the question about the time first.",
  ),
  zone_unknown: refusal(422, 'There is no zone "{value}". Choose one from the list.'),
  local_time_unreadable: refusal(
    422,
    "The date or time does not exist. Write them as 2027-03-31 and 17:00.",
  ),
  request_ended: refusal(409, "This request is {status}. Its deadline can no longer change."),
  reason_empty: refusal(422, "Give a reason; it becomes part of the history."),
  personal_data: refusal(422, "Leave personal data out; use the subject reference instead."),
  key_too_long: refusal(422, "At most {n} characters; yours has {m}."),
  key_unusable: refusal(
    422,
    "{part} may hold letters, digits, dots, hyphens and underscores only, and neither an address nor a phone number.",
  ),
  fields_unusable: refusal(422, "Some fields cannot be used as they are. See each field."),
  policy_changed: refusal(
    409,
    "Version {n} was saved meanwhile. Look at it and save your change on top of it.",
  ),
  reminder_owner_platform: refusal(409, "The platform sends reminders for this request."),
  reminder_too_soon: refusal(409, "Last one {age} ago by {source}. Possible again {moment}."),
  everybody_signed: refusal(409, "Everybody has signed. There is nobody left to contact."),
  mode_off: refusal(409, "{kind} is switched off for this tenant."),
  paused: refusal(409, '{scope} is paused since {moment}: "{reason}". A stage cannot be opened.'),
  preview_changed: refusal(409, "The preview changed[: {n} more]. Look again."),
  raw_purged: refusal(
    410,
    "The raw body was deleted when its retention ended. Its digest is kept.",
  ),
  already_running: refusal(409, "This runs again since {moment}."),
  resume_not_asked: refusal(409, "Nobody has asked to resume this yet."),
  resume_same_person: refusal(403, "You asked for this. You cannot confirm it yourself."),
  mode_not_asked: refusal(
    409,
    "Nobody has asked for this change, or it was changed since. Look again.",
  ),
  mode_same: refusal(409, "{kind} is {mode} already."),
  proof_needed: refusal(
    409,
    '"Schedule again" needs proof that nothing was applied. The last read does not give it.',
  ),
  fresh_read_disagrees: refusal(409, "The fresh read does not agree. Nothing was decided."),
  fresh_read_failed: refusal(409, "We could not read the platform. Nothing was decided."),
  decision_quarantined: refusal(409, "A quarantined operation is never scheduled again."),
  decision_nothing_sent: refusal(409, "Nothing was sent, so nothing can have been applied."),
  decision_successor: refusal(409, "A replacement of this operation is recorded already."),
  decision_absence_open: refusal(
    409,
    "A call of this operation may still land, so absence proves nothing yet[; possible from {moment}].",
  ),
  decision_worker_lives: refusal(
    409,
    "The worker of a call has not reported and its session lives. Absence is not concluded meanwhile.",
  ),
  decision_no_attempt_left: refusal(409, "No attempt is left for this operation."),
  decision_not_for_reason: refusal(409, "Not for this reason. See what else can be decided."),
  decision_acknowledged: refusal(
    409,
    "The platform gave it a reference of its own, so it may come back; it is never sent again.",
  ),
  decision_unknown: refusal(422, "This item does not know that decision."),
  decision_under_way: refusal(
    409,
    "{role} is deciding this since {moment}: {decision}. Wait for what comes of it.",
  ),
  item_settled: refusal(409, "A read has settled this. There is nothing left to decide."),
  item_taken: refusal(409, "{who} has taken this[ at {moment}]. Look again, or hand it over."),
  item_moved: refusal(409, "This item is {status} by now. Look again."),
  item_not_yours: refusal(403, "This item belongs to {who}."),
  until_passed: refusal(422, "This moment has passed. Choose a later one."),
  until_too_late: refusal(422, "At most until {moment}."),
  snooze_critical: refusal(409, "A critical item is not hidden. Acknowledge it instead."),
  owner_unknown: refusal(422, "{owner} is no team and no active member of this tenant."),
  routing_unowned: refusal(
    422,
    "Nobody would get {reasons}. Give them an owner who is an active member, or a team that has one.",
  ),
  routing_changed: refusal(
    409,
    "Somebody saved other rules meanwhile. Look at them and change those.",
  ),
  item_closed: refusal(409, "This item is closed. Open it to see how."),
  item_changed: refusal(409, "The facts changed since you looked. Look again and decide anew."),
  reference_needed: refusal(422, "Enter the platform's reference that you decided on."),
  reference_signed: refusal(
    422,
    "{ref} has a signature. Type its reference if it shall be voided all the same.",
  ),
  decided_first: refusal(403, "You decided this first. Someone else must confirm."),
  reverses_own_decision: refusal(
    403,
    "This would reverse your own decision. Someone else must confirm.",
  ),
  override_not_offered: refusal(
    409,
    "This decision needs a read that agrees. Nobody can override it.",
  ),
  override_not_waiting: refusal(409, "This decision does not wait for a second person any more."),
  selection_mixed: refusal(422, "Choose items of one reason and one kind."),
  selection_decided: refusal(409, "This selection was decided already. Look at what came of it."),
  read_budget_empty: refusal(429, "No read is free on this connection until {moment}."),
  backlog_full: refusal(
    429,
    "{n} items wait, the limit is {m}. Start later[ ({moment} by forecast)] or shorten the list.",
  ),
  request_in_progress: refusal(
    409,
    "The first request with this Idempotency-Key is still being answered. Ask again in a moment.",
  ),
  idempotency_key_missing: refusal(
    400,
    "Send an Idempotency-Key header with a value of your own for each new request.",
  ),
  idempotency_key_reused: refusal(
    422,
    "This Idempotency-Key came with another content before. Use a new value for a new request.",
  ),
  body_too_large: refusal(413, "Larger than {n} kB."),
  body_unreadable: refusal(400, "Could not be read as JSON at character {n}."),
  body_refused: refusal(400, "The body was refused: {why}."),
  body_type: refusal(415, "Send the body as application/json."),
  view_name_taken: refusal(409, "You have a view of that name here. Choose another name."),
  view_limit: refusal(409, "You have {n} views here, which is the limit. Delete one first."),
  delivery_target_refused: refusal(
    422,
    "The address leads into an internal network. Give one that is reachable from outside.",
  ),
  delivery_not_waiting: refusal(
    409,
    "This delivery is {state} by now, or its try is under way. Look again.",
  ),
  notice_endpoint_name_taken: refusal(
    409,
    "There is an endpoint of that name. Choose another name.",
  ),
  notice_endpoint_stopped: refusal(409, "This endpoint is stopped. Start it first."),
  notice_no_way: refusal(
    409,
    "There is no way to reach you: switch one on and save it first. Mail needs an address and a mail server.",
  ),
  notice_tests_too_many: refusal(429, "At most {n} tests in ten minutes. Wait a little."),
  subscriber_name_taken: refusal(409, "There is a subscriber of that name. Choose another name."),
  subscriber_changed: refusal(
    409,
    "Somebody changed this subscriber since you looked. Look again.",
  ),
  subscriber_stopped: refusal(409, "Deliveries to {name} are stopped. Start them first."),
  webhook_secrets_changed: refusal(
    409,
    "Somebody changed the secrets of this connection since you looked. Look again.",
  ),
  webhook_secrets_full: refusal(409, "Two secrets are active. Remove one of them first."),
  nothing_to_read: refusal(
    409,
    "This connection has no request at its platform yet. There is nothing to read.",
  ),
  member_exists: refusal(409, "This account is a member already."),
  member_changed: refusal(409, "Somebody changed this member since you looked. Look again."),
  last_admin: refusal(409, "This is the last admin. Make somebody else an admin first."),
  password_wrong: refusal(422, "Your present password is not right."),
  password_short: refusal(422, "Choose a password of at least {n} characters."),
  contact_erased: refusal(409, "The contact's data were erased. It cannot be sent."),
  erasure_open: refusal(409, "An erasure of this person is open already. Confirm or refuse it."),
  erasure_done: refusal(409, "The data of this person were erased already."),
  erasure_moved: refusal(409, "Somebody confirmed or refused this meanwhile. Look again."),
  erasure_same_person: refusal(403, "You asked for this. Another person must confirm."),
  erasure_ref_differs: refusal(422, "This is not the reference. Type {ref}."),
  erasure_held: refusal(
    409,
    "A hold stands in the way[: {holds}]. Lift it first; until then nothing is destroyed.",
  ),
  hold_exists: refusal(409, "A hold on this stands already."),
  hold_lifted: refusal(409, "This hold was lifted meanwhile."),
  retention_changed: refusal(
    409,
    "Version {n} was saved meanwhile. Look at it and save your change on top of it.",
  ),
  pack_removed: refusal(410, "The file was removed when its time was over. Its hash is kept."),
  too_many_tries: refusal(429, "Too many tries. Again in {n} s."),
} as const satisfies Record<string, RefusalWord>;

export type RefusalCode = keyof typeof REFUSALS;
