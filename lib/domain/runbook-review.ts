import type { REVIEW_REASONS } from "./reason-words";
import { entriesOn, type Runbook } from "./runbook-entry";

const unsent = entriesOn({
  known: "Nothing was sent.",
  may: "Decide on the item page: no longer needed, propose anew, or schedule again where it is offered.",
  mustNot: "Make the change by hand at the platform while the item is open.",
  escalate: "When the item is past its limit, or less than a day is left of the deadline.",
});
const unsure = entriesOn({
  known:
    "Whether the effect is there is not proven. The ledger goes on reading and does not call again.",
  may: "Look at the platform by hand, then decide; the fresh read must agree or a second person confirm.",
  mustNot: "Propose or send it again, or decide not applied before that option is open.",
  escalate: "When a signer may be asked twice, or less than a day is left of the deadline.",
});
const setting = entriesOn({
  known: "The platform refused it and says that nothing was processed.",
  may: "Correct the setting, test the connection, then schedule again on proof of absence.",
  mustNot: "Schedule again before the cause is gone: every try counts against the bound.",
  escalate: "To the owner of the connection when more than one request is affected.",
});

export const REVIEW_RUNBOOKS: Record<keyof typeof REVIEW_REASONS, Runbook> = {
  payload_changed_after_approval: unsent(
    "A contact detail is no longer the one whose digest was approved.",
    "Who changed the contact, and whether the new one is right.",
    { mustNot: "Put the old contact back only to make the approval fit." },
  ),
  authorization_lost: unsent(
    "The approver may no longer approve this, or revoked it.",
    "The approval page: whose approval ended and why.",
  ),
  possible_duplicate: unsure(
    "More than one request at the platform carries this operation's reference.",
    "All matches on the item page, and which of them signers have opened.",
    {
      known: "Two or more effects exist. One operation was meant.",
      may: "Keep one and propose voids for the others; the item offers both in one step.",
      mustNot: "Void by hand: which one is kept must stand in the history.",
      escalate: "At once, when more than one of them was signed.",
    },
  ),
  no_lookup: unsure(
    "The platform cannot be searched by our reference, so only a person can tell.",
    "The platform's own console: recipient, title and time of the send.",
  ),
  resend_unknown: unsure(
    "It could not be told whether the resend went out, and the platform keeps no record of it.",
    "The signer's mailbox or the platform's own view, if somebody can ask.",
  ),
  reconcile_bound_reached: unsure(
    "The allowed number of looks did not settle it; reads go on rarely.",
    "All receipts, and why they did not decide: unreadable, or nothing found.",
  ),
  missing_at_platform: unsure(
    "The platform accepted it under a reference and has not known that reference since.",
    "The reference in the platform's own console; deletions there.",
  ),
  late_result_contradicts: unsure(
    "A report that came late says something else than the ledger.",
    "The report and the state it met, side by side on the item page.",
  ),
  credentials_refused: setting(
    "The platform refused the credential of the connection, which was paused.",
    "When the credential was set and whether it was revoked or has ended.",
    {
      may: "Put a new credential in place, test the connection, resume it, then schedule again.",
      escalate: "At once: nothing of this connection starts.",
    },
  ),
  template_missing: setting(
    "The template that was approved is not at the platform.",
    "The template's id and version in the platform's console.",
    { may: "Put the template back, or propose anew with another one." },
  ),
  setting_missing: setting(
    "The platform's account lacks a setting that the call needs.",
    "The plain reason of the platform's answer.",
  ),
  capability_changed: unsent(
    "What the platform promises is no longer what the approval relied on.",
    "Old and new value of the capability, and since when.",
  ),
  contact_erased: unsent(
    "The contact's data were erased, so it cannot be sent.",
    "The erasure's record.",
    {
      may: "Decide no longer needed.",
      mustNot: "Enter the erased person again without a new ground.",
    },
  ),
  deadline_passed_while_held: unsent(
    "A deadline passed while this was paused or waited.",
    "What held it: the switch, the quota or the review, and for how long.",
    { escalate: "At once, to the owner of the request: the deadline may need a new agreement." },
  ),
  signed_after_deadline: unsent(
    "A signature came after the business deadline, and the policy asks a person.",
    "The instant of the signature beside the deadline, with both zones.",
    {
      known: "The signature exists at the platform.",
      may: "Accept it with a reason, or refuse it, as the policy allows.",
    },
  ),
  send_unknown_in_chunk: unsure(
    "The platform gave one result for a whole chunk, so each item is looked up.",
    "How many of the chunk were found, not found and not looked up yet.",
  ),
  declined_too_often: unsent(
    "The platform turned the call away again and again without processing it.",
    "The platform's limits, and whether other programs use the account.",
  ),
  lapsed_too_often: unsent(
    "Workers lost it several times before any call.",
    "System: heartbeats, lag and restarts of the workers; the database's load.",
    { escalate: "When more than one operation lapses: the workers or the database are too slow." },
  ),
  completed_before_replacement: unsent(
    "The request that should have been replaced was completed first.",
    "The completed request and its documents.",
    { may: "Decide no longer needed, or propose a new send if the completed one is not enough." },
  ),
  replaced_not_voided: unsent(
    "The void of the request to be replaced ended without being confirmed.",
    "The void's own page and what the platform shows of the old request.",
    {
      mustNot: "Send the replacement while the old request can still be signed.",
      escalate: "When the old request is about to be signed.",
    },
  ),
};
