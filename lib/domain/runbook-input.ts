import type { INPUT_REASONS } from "./reason-words";
import { entriesOn, type Runbook } from "./runbook-entry";

const event = entriesOn({
  known: "The event is recorded and authentic, and changed nothing.",
  may: "Map or link it and have it applied again, or keep it as evidence. Applying reads the platform.",
  mustNot: "Act on what the event says without the read.",
  escalate: "When more of the same kind come, or it tells of an end that the ledger does not show.",
});
const drift = entriesOn({
  known: "Nothing of ours is in flight; the two values were read at the time in the item.",
  may: "Accept the platform's value with a reason, or propose an operation that sets it right.",
  mustNot: "Correct it at the platform by hand.",
  escalate: "When the platform's value ends the request before the business deadline.",
});
const delivery = entriesOn({
  known: "The fact that should be told is settled; only the telling failed.",
  may: "Correct the subscriber's address or secret and send again, or close without delivery with a reason.",
  mustNot: "Tell the subscriber by another way and leave the delivery open.",
  escalate: "To the owner of the receiving system when it refuses for longer than a day.",
});

export const INPUT_RUNBOOKS: Record<keyof typeof INPUT_REASONS, Runbook> = {
  event_type_unknown: event(
    "An authentic event of a type that the adapter does not know.",
    "The type, and the platform's list of event types.",
  ),
  event_request_unknown: event(
    "An authentic event about a request that the ledger does not know.",
    "The platform's reference: a request made outside the ledger, or another environment.",
  ),
  event_unmatched_too_long: event(
    "An event waits for the send that it belongs to for longer than a send takes.",
    "Unknown sends of the same connection: one of them may be the one.",
    { escalate: "When an unknown send fits: the event may be the proof that it went out." },
  ),
  event_malformed: event(
    "The event is authentic, and its body cannot be read.",
    "The error code, and whether the platform changed its format.",
  ),
  event_duplicate_members: event(
    "The body says one field twice, so no reading of it is safe.",
    "The raw body, which on-call and compliance may reveal.",
  ),
  event_foreign_account: event(
    "The event is authentic for this connection and tells of another account.",
    "Which accounts share the webhook secret at the platform.",
    { escalate: "At once, when an account of another customer is named." },
  ),
  event_apply_failed: event(
    "Applying the event failed several times.",
    "The error code in the item and the worker's log at that time.",
    { may: "Replay it once the cause is gone." },
  ),
  contradicting_end: event(
    "The platform tells of one final end while the ledger holds another.",
    "The fresh read, which is newer than both.",
    {
      known: "Both ends were reported by the platform. The read in the item says what holds now.",
      may: "Accept the platform's value, with a reason, after the fresh read.",
    },
  ),
  drift_status: drift(
    "The status at the platform is not the one that the ledger holds.",
    "Events of the request that may be missing; changes at the platform's own console.",
  ),
  drift_expiry: drift(
    "The expiry at the platform is not the one that the ledger holds.",
    "Both clocks beside the business deadline.",
  ),
  drift_missing: drift(
    "The platform does not know a request that the ledger holds open.",
    "The reference and the environment of the connection.",
  ),
  clocks_disagree: drift(
    "Platform expiry and business deadline are further apart than the policy tolerates.",
    "The three clocks of the request.",
    { may: "Propose an extension, or accept the difference with a reason." },
  ),
  drift_extra: drift(
    "The platform holds a request that the ledger does not know. This release does not find such: it asks platforms about known requests only.",
    "Who made it, and whether another program uses the same account.",
  ),
  authentication_failures: event(
    "Many deliveries to this connection failed the signature check.",
    "Whether a secret was rotated at one side only; the causes per hour on the connection's page.",
    {
      known: "None of them changed anything, and nothing of them is kept.",
      may: "Put the right secret in place; two can be active while one replaces the other.",
      escalate: "When the secrets are right: somebody else is sending.",
    },
  ),
  zone_rules_changed: drift(
    "Newer time zone rules would move this deadline. It was not moved.",
    "Both instants and what the parties agreed on: an instant, or a local time.",
    {
      known: "The deadline still is the instant that was approved.",
      may: "Keep the instant with a reason, or propose the new one.",
    },
  ),
  clock_skew: drift(
    "A clock differs from the database's by more than a tolerable amount.",
    "Time synchronisation of the host that is named; the platform's own clock.",
    {
      known: "Leases and due times follow the database's clock and are not affected.",
      may: "Repair the host's time synchronisation.",
      escalate: "When it is the database's own host that is off.",
    },
  ),
  delivery_dead: delivery(
    "A subscriber did not take a delivery in all its tries.",
    "The attempts with their status codes, and whether other deliveries to it succeed.",
  ),
  delivery_gone: delivery(
    "The subscriber answers that it is gone; deliveries to it were stopped.",
    "Whether the system was retired or moved.",
    { may: "Change the address and switch it on again, or leave it stopped." },
  ),
  delivery_target_refused: delivery(
    "The address leads into an internal network, so nothing was sent.",
    "What the name resolves to, and whether the installation means to allow it.",
    { may: "Change the address; an operator of the installation may allow one host by a setting." },
  ),
  notification_failed: delivery(
    "Nobody was reached about a matter in all tries; the next in line was told.",
    "The preferences and addresses of those who should have been told; the mail server.",
    {
      known: "The matter itself is unaffected and still waits.",
      may: "Take over the matter; correct the address; send a test.",
      mustNot: "Close this before somebody has the matter in hand.",
      escalate: "At once, when critical items are in the queue.",
    },
  ),
  history_changed: event(
    "An entry of the history does not fit its chain or its seal.",
    "The findings of the check: which entry, and what kind of change.",
    {
      known: "The stored history is not what was written. Which entry is named in the item.",
      may: "Export the evidence pack with the last good seal; investigate.",
      mustNot: "Repair, delete or restore rows: they are evidence.",
      escalate: "At once, to compliance and the operators of the installation.",
    },
  ),
};
