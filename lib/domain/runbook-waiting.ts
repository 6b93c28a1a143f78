import type { STEP_REASONS, WAITING_REASONS } from "./reason-words";
import { entriesOn, type Runbook } from "./runbook-entry";

const waits = entriesOn({
  known: "Nothing was sent. The operation keeps its place and goes on by itself.",
  may: "Wait; open what it waits for; withdraw it while nothing is under way.",
  mustNot:
    "Make the change by hand at the platform: the ledger would then find a value that nobody approved.",
  escalate:
    "When the condition should have been met and is not, or less than a day is left of the deadline.",
});

export const WAITING_RUNBOOKS: Record<keyof typeof WAITING_REASONS, Runbook> = {
  awaiting_approval: waits(
    "Somebody proposed it and the approvals of its policy are not complete.",
    "The approval page: who has approved this version, who still may, and when the proposal expires.",
    { may: "Approve or reject it if the policy names you; tell an approver; withdraw it." },
  ),
  awaiting_due_time: waits(
    "It is approved for a later time.",
    "The due time with its zone on the operation's page.",
    { escalate: "Never for the waiting itself; propose anew if the time is wrong." },
  ),
  awaiting_earlier_operation: waits(
    "Another change of the same request is in flight or unknown; two are never under way at once.",
    "The earlier operation, by its link, and what that one waits for.",
    { escalate: "When the earlier one has been unknown for longer than its limit." },
  ),
  awaiting_request_review: waits(
    "An operation of this request is with a person, and later changes wait for that decision.",
    "The review item by its link; its owner decides.",
    { escalate: "When that item is past its limit: hand it over or tell its escalation contact." },
  ),
  awaiting_capacity: waits(
    "As many operations are in flight on this connection or for this tenant as its limit allows.",
    "System: claim latency and due lag; Kill switch and modes: the limits and what is used of them.",
    { may: "Wait, or raise the limit if the platform's contract allows it (an admin)." },
  ),
  awaiting_rate_limit: waits(
    "The platform asked for a pause and said that it did not process the call.",
    "The time until which it waits, and whether other programs use the same account.",
  ),
  awaiting_read_budget: waits(
    "Every change needs a read before and after, and the reads of this hour are used up.",
    "System: reads per connection, used, left and forecast; which sweeps or pages read so much.",
    { may: "Wait for the hour; raise the read limit of the connection if the contract allows it." },
  ),
  awaiting_effect_confirmation: waits(
    "The platform accepted the call and queues it; its effect cannot be read yet.",
    "The last look and the time of the next one on the operation's page.",
    {
      known:
        "The platform said yes. Whether the effect is there is not known before a read shows it.",
      mustNot: "Call it done on the acceptance alone, or repeat the change.",
    },
  ),
  awaiting_quiescence: waits(
    "No effect was found, but the platform's search may lag, so absence proves nothing yet.",
    "The time from which absence counts; it follows from what the connection promises.",
    {
      known: "Not known. A match may still turn up.",
      mustNot: "Send again by hand, or decide not applied before that time.",
    },
  ),
  awaiting_stage_gate: waits(
    "It belongs to a later stage of a bulk send whose gate is closed.",
    "The gate of the campaign and what it still asks for.",
  ),
  paused_by_kill_switch: waits(
    "A switch holds new starts of this kind, connection or tenant.",
    "Kill switch and modes: the reason, who paused, and what else is held.",
    {
      may: "Read, approve and propose as usual; resume only after the cause is gone, with a second person.",
      mustNot: "Resume to make one operation go; the switch holds it for a reason.",
    },
  ),
  ramping_up: waits(
    "A switch was opened and held operations start again, a few per minute.",
    "The ramp on Kill switch and modes: how many started and how they ended.",
    {
      escalate:
        "When what starts becomes unknown or is quarantined: pause again, one person is enough.",
    },
  ),
  mode_shadow: waits(
    "This kind runs in shadow mode: everything but the call happens.",
    "The shadow report: whether what would have been done agrees with what happened.",
  ),
};

const steps = entriesOn({
  known: "An ordinary step. The last entry of the history says where the operation stands.",
  may: "Nothing has to be done.",
  mustNot: "Read one step as the result.",
  escalate: "When the same step repeats without coming to an end.",
});

export const STEP_RUNBOOKS: Record<keyof typeof STEP_REASONS, Runbook> = {
  approved: steps(
    "The approvals of its policy are complete for exactly this version and hash.",
    "Who approved, and the hash that the approval is bound to.",
  ),
  approved_by_policy: steps(
    "A timer that a policy planned together with an approved send or extension.",
    "The policy's version and the operation whose approval carries it.",
  ),
  picked_up: steps(
    "One worker holds a lease for it; nothing was sent yet.",
    "The worker and the end of its lease.",
  ),
  lease_ended_before_call: steps(
    "A worker went away before any call, so the operation returned to the list.",
    "System: whether that worker still sends heartbeats.",
    { escalate: "After the second time on one operation, or when several workers lose leases." },
  ),
  released: steps(
    "The worker gave it back without a call: it stops, or the moment was not right.",
    "The evidence of the entry says why.",
  ),
  intent_stored: steps(
    "The read before agrees with what was approved; from here on a call may be under way.",
    "The lease and its end. Until an outcome stands here, assume that the call may have left.",
  ),
  not_processed: steps(
    "The platform said for certain that it did not process the call, so another try is safe.",
    "The platform's answer in the evidence and the time of the next try.",
  ),
  look_started: steps("A reconciler reads the platform about it.", "The number of the look."),
  look_inconclusive: steps(
    "The look did not settle whether the effect is there.",
    "The read's receipt and the time of the next look.",
  ),
  absence_proven: steps(
    "The effect is not there and can no longer land; the same identity may be tried once more.",
    "The receipt that proves it and when that read started.",
    { known: "Proven: not applied." },
  ),
  rescheduled_by_decision: steps(
    "A person decided to schedule it again, on proof that nothing was applied.",
    "The decision and its receipt on the review item.",
    { known: "Proven: not applied when it was decided." },
  ),
};
