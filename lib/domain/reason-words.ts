import type { OperationState } from "./operation";

/** Who is asked by default. `none`: nobody has to do anything, or whom to ask depends on another record. */
export type ReasonOwner =
  | "proposer"
  | "approver"
  | "request"
  | "batch"
  | "oncall"
  | "connection"
  | "compliance"
  | "signatory"
  | "none";

export type ReasonGroup =
  /** Shown as the answer to "what is it waiting for?"; no review item. */
  | "waiting"
  /** An ordinary step of the state machine; shown in timelines. */
  | "transition"
  /** Why the effect is unknown. */
  | "unknown"
  /** How an operation ended. */
  | "ended"
  /** Facts conflict with what was approved: a review item. */
  | "quarantined"
  /** The evidence is ambiguous: a review item. */
  | "review"
  /** Inbound events, drift, time and deliveries: a review item without an operation of its own. */
  | "input";

export interface ReasonWord {
  readonly group: ReasonGroup;
  readonly owner: ReasonOwner;
  /** The state that an operation with this reason ends in; null where it does not end. */
  readonly endsIn: OperationState | null;
  readonly sentence: string;
}

function waiting<const Text extends string>(owner: ReasonOwner, sentence: Text) {
  return { group: "waiting", owner, endsIn: null, sentence } as const;
}

function step<const Text extends string>(sentence: Text) {
  return { group: "transition", owner: "none", endsIn: null, sentence } as const;
}

function unknown<const Text extends string>(sentence: Text, owner: ReasonOwner = "none") {
  return { group: "unknown", owner, endsIn: null, sentence } as const;
}

type FinalState = "done" | "obsolete" | "superseded" | "failed_terminal";

function ended<const Text extends string>(
  endsIn: FinalState,
  sentence: Text,
  owner: ReasonOwner = "none",
) {
  return { group: "ended", owner, endsIn, sentence } as const;
}

function conflict<const Text extends string>(owner: ReasonOwner, sentence: Text) {
  return { group: "quarantined", owner, endsIn: null, sentence } as const;
}

function doubt<const Text extends string>(owner: ReasonOwner, sentence: Text) {
  return { group: "review", owner, endsIn: null, sentence } as const;
}

function input<const Text extends string>(owner: ReasonOwner, sentence: Text) {
  return { group: "input", owner, endsIn: null, sentence } as const;
}

export const WAITING_REASONS = {
  awaiting_approval: waiting(
    "approver",
    "Waits for {k} of {n} approvals.[ The request for approval expires {moment}.]",
  ),
  awaiting_due_time: waiting("none", "Due {moment}."),
  awaiting_earlier_operation: waiting(
    "none",
    "Another change of this request is not settled[: {kind} {op}, {state}].",
  ),
  awaiting_request_review: waiting(
    "none",
    "A quarantined operation of this request must be decided first[: {item}].",
  ),
  awaiting_capacity: waiting(
    "connection",
    "{used} of {limit} operations are in flight on this connection. About {k} are ahead.",
  ),
  awaiting_rate_limit: waiting(
    "none",
    "The platform asked us to wait until {moment} and said that nothing was processed.",
  ),
  awaiting_read_budget: waiting(
    "connection",
    "Reads of this hour are used up. The next one is free at {moment}.",
  ),
  awaiting_effect_confirmation: waiting(
    "none",
    "The platform accepted the call and has not applied it yet. We look again at {moment}; an owner is told at {limit}.",
  ),
  awaiting_quiescence: waiting(
    "none",
    "No match at the platform. Its search may lag until {moment}; before that, absence proves nothing.",
  ),
  awaiting_stage_gate: waiting("batch", "Belongs to a later stage; the gate of {stage} is closed."),
  paused_by_kill_switch: waiting("oncall", "Paused by {scope} switch since {moment}."),
  ramping_up: waiting("none", "Resuming at {rate} per minute; about {k} are ahead."),
  mode_shadow: waiting("connection", "Shadow mode: everything but the call will happen."),
} as const satisfies Record<string, ReasonWord>;

export const STEP_REASONS = {
  approved: step("Approved by {role}, version {n}, hash {hash}."),
  approved_by_policy: step("Planned by policy {name} v{n}."),
  picked_up: step("Worker {w} holds it until {moment} (fence {n})."),
  lease_ended_before_call: step("The worker went away before any call."),
  released: step("The worker stopped and gave it back."),
  intent_stored: step("Read agrees with the approval; the call may start now."),
  not_processed: step(
    "The platform said for certain that it did not process the call.[ Next try {moment}.]",
  ),
  look_started: step("Look {n} of {m} began."),
  look_inconclusive: step("It did not settle the question."),
  absence_proven: step(
    "Proven: not applied, and the call can no longer land. Attempt {n} of {m} follows with the same identity.",
  ),
  rescheduled_by_decision: step('Decided "schedule again"[ by {role}] on proof of absence.'),
} as const satisfies Record<string, ReasonWord>;

export const UNKNOWN_REASONS = {
  call_timed_out: unknown(
    "The platform did not answer within {n} s. It may have applied the change.",
  ),
  connection_lost: unknown("The connection broke after we began to send."),
  response_cut: unknown("The answer was cut off."),
  response_unusable: unknown("The platform said yes without a usable reference."),
  platform_error: unknown(
    "The platform answered with error {status}. That does not tell whether it acted.",
  ),
  throttled_effect_unknown: unknown(
    'The platform said "too many calls" and does not promise that nothing was processed.',
  ),
  worker_lost: unknown(
    "The worker stopped or lost its lease while the call may have been under way.",
  ),
  read_before_failed: unknown("We could not read the request before acting, so we did not act."),
  read_after_failed: unknown("The call was answered; the read that should confirm it failed."),
  readback_shows_old_value: unknown("The platform said yes, but a read still shows the old value."),
  found_then_missing: unknown('The platform gave a reference and now answers "not found" for it.'),
  refused_after_unknown: unknown("This attempt was refused, but an earlier one may have worked."),
  late_result_kept: unknown(
    "A worker without a lease reported {outcome}. It changed nothing, is kept as evidence, and we look again.",
  ),
  lookup_failed: unknown("Our search at the platform failed."),
  lookup_inconclusive: unknown(
    "Our search at the platform found nothing that decides the question.",
  ),
  unknown_past_age: unknown(
    "Unknown for {age}, longer than {limit}. {owner} was told; we go on looking.",
    "oncall",
  ),
} as const satisfies Record<string, ReasonWord>;

export const ENDED_REASONS = {
  effect_confirmed: ended("done", "A read at {moment} shows the target."),
  accepted_unverified: ended(
    "done",
    "The platform accepted it. No read can show this effect, so its acceptance is the evidence.",
  ),
  effect_found_by_lookup: ended(
    "done",
    "Found at the platform by our own reference[: {platform_ref}].",
  ),
  already_so: ended(
    "obsolete",
    "The platform already showed the target when we read it; nothing was sent.",
  ),
  decided_applied: ended("done", 'Decided "applied"[ by {role}], and a fresh read agreed.'),
  decided_applied_override: ended(
    "done",
    'Decided "applied"[ by {role}] with a second person, against the read.',
  ),
  request_completed_first: ended(
    "obsolete",
    "The request was already completed when we read it at {moment}. Nothing was sent.",
  ),
  request_declined_first: ended(
    "obsolete",
    "The request was already declined when we read it at {moment}. Nothing was sent.",
  ),
  request_expired_first: ended(
    "obsolete",
    "The request was already expired when we read it at {moment}. Nothing was sent.",
  ),
  request_voided_first: ended(
    "obsolete",
    "The request was already voided when we read it at {moment}. Nothing was sent.",
  ),
  platform_refused_completed: ended(
    "obsolete",
    "The platform refused because the request is completed. Its answer is kept.",
  ),
  request_ended_by_event: ended(
    "obsolete",
    "The request was {status} at {moment}; this was withdrawn with it.",
  ),
  withdrawn: ended("obsolete", "Withdrawn by the proposer."),
  rejected: ended("obsolete", 'Rejected[: "{reason}"].'),
  approval_expired: ended(
    "obsolete",
    "Nobody approved before {moment}. Propose again if it is still wanted.",
    "proposer",
  ),
  request_replaced: ended(
    "obsolete",
    "The request was replaced by a corrected send, and this was withdrawn with it.",
  ),
  replanned_by_extension: ended("obsolete", "A newer deadline replaced this timer[: {op}]."),
  skipped_signed: ended("obsolete", "Reminder skipped: signer had signed."),
  skipped_past_deadline: ended("obsolete", "Reminder skipped: the deadline had passed."),
  skipped_too_soon: ended(
    "obsolete",
    "Reminder skipped[: last reminder {age} ago by {source}; possible again {moment}].",
  ),
  skipped_unknown: ended(
    "obsolete",
    "We could not tell whether the reminder went out and did not send another.",
  ),
  collapsed_after_pause: ended(
    "obsolete",
    "Missed while paused; joined into one reminder[: {op}].",
  ),
  shadow_recorded: ended(
    "obsolete",
    "Shadow: nothing was sent. It would have {verb}.[ Afterwards the platform showed {observed}.]",
  ),
  decided_not_needed: ended("obsolete", 'Decided "no longer needed"[ by {role}].'),
  campaign_cancelled: ended("obsolete", "The campaign was cancelled before this was sent."),
  superseded: ended(
    "superseded",
    "Replaced by {op}.[ {void_op} voids what exists at the platform.]",
  ),
  rejected_payload: ended(
    "failed_terminal",
    "The platform refused the content[: {plain}]. Correct it as a new proposal.",
    "request",
  ),
  absence_confirmed_bound_reached: ended(
    "failed_terminal",
    "Confirmed absent, and no attempt is left ({n} of {n}).",
    "request",
  ),
  resend_not_delivered: ended(
    "failed_terminal",
    "The platform's delivery record shows that nothing went out. A resend is not repeated by itself: propose it again.",
    "request",
  ),
  void_not_applied: ended(
    "failed_terminal",
    "The platform said yes, but {n} reads over {age} still show {status}. It is not voided.",
    "request",
  ),
  decided_not_applied: ended(
    "failed_terminal",
    'Decided "not applied, stop"[ by {role}], and a fresh read agreed.',
  ),
  not_proven: ended(
    "obsolete",
    "Decided[ by {role}] with a second person, without proof that nothing was applied.",
  ),
} as const satisfies Record<string, ReasonWord>;

export const QUARANTINE_REASONS = {
  status_changed_since_approval: conflict(
    "approver",
    "Approved for a request that was {old}; it is {new} now. Nothing was sent.",
  ),
  expiry_changed_since_approval: conflict(
    "approver",
    "The approver saw expiry {old}; the platform now says {new}. Nothing was sent.",
  ),
  would_shorten: conflict(
    "approver",
    "The platform's expiry {now} is already later than the target {target}. Extending never shortens.",
  ),
  effect_differs: conflict("oncall", "We asked for {target}; the platform now shows {observed}."),
  neither_old_nor_new: conflict(
    "oncall",
    "The platform shows {observed}: neither the value before nor the target.",
  ),
  expiry_not_expressible: conflict(
    "request",
    "This platform counts whole days; no value keeps {target} without ending early.",
  ),
  platform_ignored_expiry: conflict(
    "connection",
    "The platform shows {observed} instead of {target}, more than a day apart. Further extensions wait.",
  ),
  status_not_understood: conflict(
    "connection",
    'The platform reports "{raw}", which this adapter does not know.',
  ),
  platform_also_reminds: conflict(
    "request",
    "Reminders belong to us, but the platform's own are on. We send none until one is off.",
  ),
  stored_bytes_changed: conflict(
    "compliance",
    "The stored payload no longer matches the approved hash. It was not and will not be sent.",
  ),
} as const satisfies Record<string, ReasonWord>;

export const REVIEW_REASONS = {
  payload_changed_after_approval: doubt(
    "approver",
    "A contact detail changed after the approval. It was not sent to either.",
  ),
  authorization_lost: doubt(
    "approver",
    "The approver is no longer allowed to approve this, or revoked it. Nothing was sent.",
  ),
  possible_duplicate: doubt(
    "oncall",
    "{n} requests at the platform carry this operation's reference.",
  ),
  no_lookup: doubt(
    "oncall",
    "This platform cannot be searched by our reference. Only a person can tell; automatic resend is off.",
  ),
  resend_unknown: doubt(
    "oncall",
    "We could not tell whether the resend went out, and this platform keeps no delivery record.",
  ),
  reconcile_bound_reached: doubt(
    "oncall",
    "{n} looks over {age} did not settle it. We keep reading once per {gap}.",
  ),
  missing_at_platform: doubt(
    "oncall",
    'The platform accepted it as {platform_ref} and has answered "not found" since {moment}.',
  ),
  late_result_contradicts: doubt(
    "oncall",
    "A late report says {outcome}; the ledger says {state}.",
  ),
  credentials_refused: doubt(
    "connection",
    "The platform refused our credentials. Nothing was processed.",
  ),
  template_missing: doubt("connection", "Template {id} is not there. Nothing was processed."),
  setting_missing: doubt(
    "connection",
    "The platform lacks a setting[: {plain}]. Nothing was processed.",
  ),
  capability_changed: doubt(
    "connection",
    "What this platform promises changed since the approval: {field} {old} → {new}.",
  ),
  contact_erased: doubt("compliance", "The contact's data were erased. It cannot be sent."),
  deadline_passed_while_held: doubt(
    "request",
    "{clock} passed at {moment} while this was paused or waiting.",
  ),
  signed_after_deadline: doubt(
    "request",
    "Signed {gap} after the business deadline.[ Policy: {policy}.] A person decides what that means.",
  ),
  send_unknown_in_chunk: doubt(
    "batch",
    "The platform gave only a result for the whole chunk of {n}. Each item is looked up.",
  ),
  declined_too_often: doubt(
    "connection",
    "The platform turned the call away {n} times in {age}, each time without processing it.",
  ),
  lapsed_too_often: doubt("oncall", "Workers lost it {n} times before any call. Nothing was sent."),
  completed_before_replacement: doubt(
    "request",
    "The request that this replaces was completed first. Nothing was sent.",
  ),
  replaced_not_voided: doubt(
    "request",
    "The void of the request that this replaces ended without being confirmed. Nothing was sent.",
  ),
} as const satisfies Record<string, ReasonWord>;

export const INPUT_REASONS = {
  event_type_unknown: input("connection", 'Authentic event of an unknown type "{type}".'),
  event_request_unknown: input("oncall", "Authentic event about a request that we do not know."),
  event_unmatched_too_long: input("oncall", "Waits {age} for the send that it belongs to."),
  event_malformed: input("connection", "Authentic, but the body cannot be read."),
  event_duplicate_members: input(
    "connection",
    "Authentic, but the body says the same field twice.",
  ),
  event_foreign_account: input(
    "connection",
    "Authentic for this connection, but about an account that is not its own.",
  ),
  event_apply_failed: input("oncall", "Could not be applied {n} times[: {plain}]."),
  contradicting_end: input(
    "oncall",
    "The platform says {new}, but we hold {old}, both final.[ A read at {moment} says {observed}.]",
  ),
  drift_status: input(
    "request",
    "Nothing is in flight, yet status differs: ours {a}, platform {b}.",
  ),
  drift_expiry: input(
    "request",
    "Nothing is in flight, yet expiry differs: ours {a}, platform {b}.",
  ),
  drift_missing: input("request", "The platform does not know it."),
  clocks_disagree: input(
    "request",
    "The platform ends it {gap} {side} the business deadline, more than the {limit} that the policy tolerates: deadline {a}, platform {b}.",
  ),
  drift_extra: input("request", "The platform knows it, we do not."),
  authentication_failures: input(
    "connection",
    "{n} events in {age} failed the signature check. None changed anything.",
  ),
  zone_rules_changed: input(
    "request",
    "Newer rules for {zone} would move this deadline from {a} to {b}. It was not moved.",
  ),
  clock_skew: input("connection", "{clock} differs from the database by {n} s."),
  delivery_dead: input("connection", "{subscriber} did not take it in {n} tries."),
  delivery_gone: input("connection", '{subscriber} answers "gone"; deliveries are stopped.'),
  delivery_target_refused: input(
    "connection",
    "The address leads into an internal network. Nothing was sent.",
  ),
  notification_failed: input("oncall", "Nobody was reached about {item}; next in line was told."),
  history_changed: input("compliance", "Entry {n} of {op} does not fit its chain or seal."),
} as const satisfies Record<string, ReasonWord>;
