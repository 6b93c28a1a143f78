import type { RefusalCode } from "./refusal-words";
import { entriesOn, type Runbook } from "./runbook-entry";

const refused = entriesOn({
  known: "Nothing was changed by what was refused.",
  may: "Do what the sentence asks for and try again.",
  mustNot: "Try the same again without a change.",
  escalate: "When the same refusal keeps an item from being decided within its limit.",
});

/** Refusals that people meet while they decide about review items. */
export const REFUSAL_RUNBOOKS = {
  proof_needed: refused(
    "Scheduling again needs proof that nothing was applied, and the last read gives none.",
    "From when on absence counts; the option says when it opens.",
    { mustNot: "Ask for an override only to save the wait." },
  ),
  fresh_read_disagrees: refused(
    "The read that was made for the decision shows something else than the decision claims.",
    "The difference in the answer, and what happened since the page was opened.",
    {
      may: "Take another option, or ask a second person to confirm against the read, with a reason.",
      escalate: "When you are certain and the read is wrong: the adapter may misread the platform.",
    },
  ),
  fresh_read_failed: refused(
    "The platform could not be read, so nothing was decided.",
    "The connection's state; other reads of it.",
    { may: "Wait and decide again; snooze the item with a reason." },
  ),
  read_budget_empty: refused(
    "No read is free on this connection in this hour.",
    "System: reads per connection and what uses them.",
    {
      may: "Wait for the time that the sentence names; raise the limit if the contract allows it.",
    },
  ),
  identity_retired: refused(
    "The key was used before and its data were erased; it stays closed.",
    "The erasure's record.",
    { may: "Make a new decision, which has an identity of its own." },
  ),
  already_decided: refused(
    "Somebody else decided first.",
    "The other decision and its reason on the item page.",
    { may: "Nothing, or reverse it by a new operation if it was wrong." },
  ),
  same_person: refused(
    "The rule asks for another person than the one who proposed, edited or decided first.",
    "Who else may act here; the item and the approval page name them.",
    { mustNot: "Use a colleague's account." },
  ),
} as const satisfies Partial<Record<RefusalCode, Runbook>>;
