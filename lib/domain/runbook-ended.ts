import type { ENDED_REASONS } from "./reason-words";
import { entriesOn, type Runbook } from "./runbook-entry";

const over = {
  may: "Propose a new operation if the change is still wanted.",
  mustNot: "Expect it to run again: what has ended never changes.",
  escalate: "When the platform shows something else than the entry says.",
};
const done = entriesOn({ ...over, known: "The effect is there." });
const unsent = entriesOn({ ...over, known: "Nothing was sent." });
const failed = entriesOn({
  ...over,
  known: "The effect is not there, and no further attempt follows.",
});

const request =
  "The request's own page: its status, when it was read, and what else was planned for it.";

export const ENDED_RUNBOOKS: Record<keyof typeof ENDED_REASONS, Runbook> = {
  effect_confirmed: done("A read after the call shows the target.", "The receipt of that read."),
  accepted_unverified: done(
    "The platform accepted it, and no read of this platform can show such an effect.",
    "The platform's answer, which is the only evidence.",
    { known: "Accepted by the platform; not verifiable.", mustNot: "Call it confirmed." },
  ),
  effect_found_by_lookup: done(
    "After an unknown call the effect was found by the operation's own reference.",
    "The receipt and the platform's reference.",
  ),
  already_so: unsent(
    "The platform already showed the target when it was read.",
    "Who made the change: the request's history and drift items.",
  ),
  decided_applied: done(
    "A person decided that it was applied, and a fresh read agreed.",
    "The decision and its receipt.",
  ),
  decided_applied_override: done(
    "Two persons decided that it was applied although the read did not show it.",
    "Both reasons on the review item.",
    { known: "Decided by two persons against the read; no read proves it." },
  ),
  request_completed_first: unsent("Everybody had signed before it started.", request),
  request_declined_first: unsent("A signer had declined before it started.", request),
  request_expired_first: unsent("The request had expired before it started.", request, {
    escalate: "When the expiry came before the business deadline: the clocks disagree.",
  }),
  request_voided_first: unsent("The request had been voided before it started.", request, {
    escalate: "When nobody of ours voided it.",
  }),
  platform_refused_completed: unsent(
    "The platform refused because the request is completed; its answer is kept.",
    request,
    { known: "The call was refused; the platform says that it changed nothing." },
  ),
  request_ended_by_event: unsent(
    "An authentic event ended the request, and what was planned for it ended too.",
    "The event in the inbox and the read that followed it.",
  ),
  withdrawn: unsent("Its proposer took it back.", "The history entry."),
  rejected: unsent("An approver rejected it.", "The approver's reason on the approval page."),
  approval_expired: unsent(
    "Nobody approved it in time.",
    "Whether approvers were told and who was on duty.",
    { escalate: "When approvals expire repeatedly: the policy asks for people who are not there." },
  ),
  request_replaced: unsent(
    "A corrected send replaced the request.",
    "The replacement, by its link on the request's page.",
  ),
  replanned_by_extension: unsent(
    "A newer deadline made this timer needless and brought a new one.",
    "The timers of the request.",
  ),
  skipped_signed: unsent("The signer had signed before the reminder.", request),
  skipped_past_deadline: unsent(
    "The deadline had passed before the reminder could go.",
    "Whether it was held: a switch, a quota or a review on the same request.",
  ),
  skipped_too_soon: unsent(
    "Somebody had reminded the signer within the interval.",
    "The contacts of the request and who is responsible for reminders.",
  ),
  skipped_unknown: entriesOn({
    ...over,
    known: "One reminder may have gone out; no second one was sent.",
    mustNot: "Remind by hand to make sure.",
  })(
    "It could not be told whether the reminder went out.",
    "The request's contacts; the next planned reminder.",
  ),
  collapsed_after_pause: unsent(
    "It was missed during a pause and joined into one reminder.",
    "The reminder that it was joined into.",
  ),
  shadow_recorded: unsent(
    "Shadow mode: it is recorded what would have been done.",
    "The shadow report and its comparison.",
  ),
  decided_not_needed: unsent(
    "A person decided that it is no longer needed.",
    "The decision and its reason on the review item.",
    { known: "The decision's read says what the platform showed; nothing further was sent." },
  ),
  campaign_cancelled: unsent(
    "Its bulk send was cancelled before this part went out.",
    "The campaign's closing report.",
  ),
  superseded: entriesOn({
    ...over,
    known:
      "A newer operation takes its place; a void follows where something exists at the platform.",
  })(
    "It was replaced by a newer approved operation.",
    "The successor, and the void if there is one.",
  ),
  rejected_payload: failed(
    "The platform refused the content for good.",
    "The plain reason; which field the platform names.",
    { may: "Correct the content as a new proposal." },
  ),
  absence_confirmed_bound_reached: failed(
    "Confirmed absent, and the attempts that the policy allows are used up.",
    "Why the attempts failed: the entries before.",
  ),
  resend_not_delivered: failed(
    "The platform's delivery record shows that nothing went out.",
    "The delivery record in the receipt.",
  ),
  void_not_applied: failed(
    "The platform said yes to the void, and reads over a long time still show it open.",
    "The receipts; the request at the platform.",
    {
      known: "The request is not voided.",
      escalate: "At once, when a replacement waits for it or signers may still sign.",
    },
  ),
  decided_not_applied: failed(
    "A person decided that it was not applied, and a fresh read agreed.",
    "The decision and its receipt.",
  ),
  not_proven: entriesOn({
    ...over,
    known: "Not proven either way: two persons closed it without proof that nothing was applied.",
    escalate: "When an event or a read shows the effect later: it opens a new item.",
  })("Two persons closed it without proof.", "Both reasons on the review item."),
};
