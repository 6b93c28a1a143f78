import type { QUARANTINE_REASONS } from "./reason-words";
import { entriesOn, type Runbook } from "./runbook-entry";

const unsent = entriesOn({
  known: "Nothing was sent. Later changes of the request wait for the decision.",
  may: "Decide on the item page: no longer needed, or propose anew on the present facts. Each decision reads first.",
  mustNot: "Change the request at the platform so that the approval fits again.",
  escalate: "When the item is past its limit, or less than a day is left of the deadline.",
});
const acted = entriesOn({
  known: "A call was made. The platform shows the value in the item, read at the time beside it.",
  may: "Decide applied if the value is acceptable, or propose a correction. Each decision reads first.",
  mustNot: "Repeat the change before the difference is explained.",
  escalate: "When the shown value ends the request earlier than the business deadline.",
});

export const QUARANTINE_RUNBOOKS: Record<keyof typeof QUARANTINE_REASONS, Runbook> = {
  status_changed_since_approval: unsent(
    "The request had another status when it was read than the one that was approved for.",
    "Old and new status, and the history of the request between the two reads.",
  ),
  expiry_changed_since_approval: unsent(
    "The platform's expiry is not the one that the approver saw.",
    "Who moved it: another operation, the platform's own console, or its clock.",
  ),
  would_shorten: unsent(
    "The platform's expiry is already later than the target; extending never shortens.",
    "Whether the later expiry is wanted. If so nothing has to be done.",
  ),
  effect_differs: acted(
    "The platform shows another value than the one that was asked for.",
    "Target and observed value, the rounding of the platform, and changes by others since the call.",
  ),
  neither_old_nor_new: acted(
    "The platform shows neither the value before nor the target.",
    "Somebody else may have changed it in between: drift items and events of the request.",
  ),
  expiry_not_expressible: unsent(
    "The platform counts whole days, and no value keeps the target without ending early.",
    "The target in the request's zone and the nearest later day.",
    { may: "Propose a time that the platform can express." },
  ),
  platform_ignored_expiry: acted(
    "The platform took the call and shows an expiry more than a day from the target.",
    "The connection's capabilities against what the platform did; other requests of it.",
    { may: "Propose an extension; correct the capability of the connection; ask the platform." },
  ),
  status_not_understood: unsent(
    "The platform reports a status that the adapter does not know.",
    "The raw status and the platform's documentation.",
    {
      known: "What the status means is not known, so nothing was concluded from it.",
      escalate: "To whoever keeps the adapter: every request that shows it is affected.",
    },
  ),
  platform_also_reminds: unsent(
    "Reminders belong to the ledger, while the platform's own reminders are on.",
    "The request's reminder settings at the platform.",
    { may: "Switch one of the two off and decide." },
  ),
  stored_bytes_changed: unsent(
    "The stored payload does not have the hash that was approved.",
    "Verify the history of the operation; who had access to the database.",
    {
      may: "Decide not applied; investigate; export the evidence.",
      mustNot: "Repair the row: it is evidence.",
      escalate: "At once, to compliance. This is either a fault of storage or a manipulation.",
    },
  ),
};
