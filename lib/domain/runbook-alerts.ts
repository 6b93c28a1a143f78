import { entriesOn, type Runbook } from "./runbook-entry";

const machine = entriesOn({
  known:
    "Nothing is sent twice whatever the machinery does: leases and fences hold, and calls under way become unknown and are looked up.",
  may: "Restart or add workers; pause the tenant or everything if effects are in doubt.",
  mustNot:
    "Change rows of the database by hand, or raise time-outs and limits to make an alert quiet.",
  escalate: "After 15 minutes without a cause, or when deadlines of the next hours are at risk.",
});
const people = entriesOn({
  known: "The items stand in the review queue with an owner each; nothing disappears by itself.",
  may: "Take the item, acknowledge it, hand it over with a note, or decide it.",
  mustNot: "Snooze or close items to make the alert quiet.",
  escalate: "To the escalation contact of the routing rule; an item names it.",
});
const edge = entriesOn({
  known: "What was recorded is kept and is delivered or applied once the cause is gone.",
  may: "Replay after the cause is gone; stop a subscriber or a connection that does harm.",
  mustNot: "Delete what waits.",
  escalate: "To the owner of the connection or of the receiving system after an hour.",
});

/** One for every rule of docs/alerts.yml, under its name. */
export const ALERT_RUNBOOKS = {
  LedgerNoWorker: machine(
    "No worker process has sent a heartbeat for 20 s or more.",
    "Whether the worker processes run at all, and their last log lines; then whether they reach the database.",
    { may: "Start a worker (`npm run worker`); any number may run on any machine." },
  ),
  LedgerWorkerSilent: machine(
    "One worker has sent no heartbeat for 30 s; what it held is taken over when its leases end.",
    "System: in hand and lag of that worker before it fell silent; memory and CPU of its host.",
  ),
  LedgerDatabaseDown: machine(
    "The database did not answer the statements of a scrape in time.",
    "Whether PostgreSQL accepts connections; locks, load and disk of its host.",
    { escalate: "At once: without the database nothing is decided, recorded or started." },
  ),
  LedgerScrapeMissing: machine(
    "Prometheus gets no figures about the ledger's rows.",
    "The targets of Prometheus: address, METRICS_TOKEN, and whether the workers run.",
    {
      known:
        "Nothing is known about the backlog until the figures are back; the ledger itself may be well.",
    },
  ),
  LedgerPassesFail: machine(
    "Passes or requests keep ending with an error that the code did not expect.",
    "The log lines of that event: they name the operation, the class of the error and where it came from.",
    { escalate: "To whoever keeps the code, with those lines." },
  ),
  LedgerClockSkew: machine(
    "The clock of a worker's host or of a platform is more than 2 s off the database's.",
    "Time synchronisation of the host; for a platform its own status page.",
    { known: "Due times and leases follow the database's clock and are not affected." },
  ),
  LedgerDueLag: machine(
    "An approved operation that nothing of its own request holds has been due for more than a minute.",
    "Deadlines: what is due. Then capacity, read budget and ramps of its connection, then the workers' lag.",
    {
      escalate: "At once when expiries, extensions or voids with a deadline today are among them.",
    },
  ),
  LedgerUnknownPastAge: machine(
    "An operation has been unknown for more than a quarter of an hour. Those on call were told; looks go on, and after an hour a person decides.",
    "Operations, filtered by `state:needs_reconcile`, the oldest first: cause and looks so far.",
    { mustNot: "Make the change by hand or propose it again while it is unknown." },
  ),
  LedgerUnknownPastBound: machine(
    "An operation has been unknown for more than an hour. A look should have given it to a person by now, so looks are not being made.",
    "Whether workers run and take looks (lag on System), and whether a connection has reads left in this hour.",
    {
      mustNot: "Make the change by hand or propose it again while it is unknown.",
      escalate: "At once when expiries, extensions or voids with a deadline today are among them.",
    },
  ),
  LedgerUnknownRate: machine(
    "More than one call in twenty ends unknown, beyond a handful.",
    "The causes: time-outs, lost connections or errors; then the platform's status page.",
    { may: "Pause the connection: looks and reads go on while it is paused." },
  ),
  LedgerUnknownSlowToResolve: machine(
    "Unknown operations take more than a quarter of an hour to settle.",
    "Whether reads fail, the budget is empty, or absence has to wait for the platform's lag.",
  ),
  LedgerQuarantineRate: machine(
    "Many operations were set aside for one cause within an hour.",
    "The runbook of that reason code; what the operations have in common: connection, template, approver.",
    {
      may: "Pause the kind or the connection while the cause is looked for; decide in bulk afterwards.",
      mustNot: "Decide in bulk before the common cause is understood.",
    },
  ),
  LedgerDuplicateFound: machine(
    "A platform holds more than one effect of one operation.",
    "Review queue, filtered by `reason:possible_duplicate`.",
    {
      known: "Two or more effects exist where one was approved.",
      may: "Pause the connection; keep one and void the others through the item.",
      escalate: "At once: signers may have been asked twice.",
    },
  ),
  LedgerClaimConflicts: machine(
    "Statements that claim, submit or write an outcome keep finding that somebody else was first.",
    "Whether leases are too short for the platform's answers, and whether workers stall (lag on System).",
    { known: "Each such statement changed nothing; that is how two workers are kept apart." },
  ),
  LedgerClaimSlow: machine(
    "Due operations wait long until a worker takes them, though they do get taken.",
    "Busy hands of the workers (in hand on System), quotas, and the duration of claiming statements.",
    { may: "Add a worker; raise limits only where the platform's contract allows it." },
  ),
  LedgerReadBudgetEmpty: machine(
    "A connection has used up its reads of this hour.",
    "System: reads per connection with their rate; sweeps, pages left open and looks use them.",
    {
      may: "Wait; close pages that read; pause polling; raise the limit if the contract allows it.",
    },
  ),
  LedgerPausedLong: people(
    "A switch has been on for more than four hours.",
    "Kill switch and modes: why it was thrown, when it should be looked at again, what it holds.",
    {
      known: "Nothing within its scope starts; reads, events and reviews go on.",
      may: "Resume with a second person after the preview, or write down why it stays.",
      mustNot: "Resume without reading the preview: overdue operations start first.",
    },
  ),
  LedgerReviewBreached: people(
    "Review items are older than the limit of their consequence.",
    "Review queue, view Breached; the oldest critical one first.",
  ),
  LedgerCriticalUntaken: people(
    "Nobody has taken or acknowledged a critical item for ten minutes.",
    "Who is on call now (Settings, Routing) and whether notices reach them.",
    { escalate: "Now, by telephone." },
  ),
  LedgerNoticesLate: people(
    "Notices to people do not leave.",
    "The mail server and the chat hooks; the workers, which send them.",
    {
      known: "The matters are in the queue; only the messages are late.",
      may: "Look into the queue yourself until messages flow again.",
    },
  ),
  LedgerNobodyReached: people(
    "A notice was not taken by anybody in all its tries.",
    "The item's page: whom it was for; their addresses and preferences.",
  ),
  LedgerInboxNotApplied: edge(
    "An event was recorded more than a minute ago and is not applied.",
    "Inbox, filtered by outcome received: the error code of the tries; then the workers.",
    { known: "The event is kept. Until it is applied the ledger may show an older state." },
  ),
  LedgerWebhooksNotRecorded: edge(
    "Deliveries of platforms were answered with 503, since nothing could be recorded in time.",
    "The database's load and locks, then the console's log for `webhook_not_recorded`.",
    { known: "The senders were told to try again; nothing was lost by us." },
  ),
  LedgerWebhooksRefused: edge(
    "Many deliveries did not carry a valid signature.",
    "The runbook of authentication_failures; the connection's page shows the causes.",
    { known: "None of them changed anything." },
  ),
  LedgerOutboxBacklog: edge(
    "Deliveries to subscribers wait or are retried for more than a quarter of an hour.",
    "Outbox, filtered by state: one subscriber, or all; its answers; then the workers.",
  ),
  LedgerOutboxHeld: edge(
    "The end of a request is not told yet, because no read of the platform has agreed.",
    "The request's reads: unreadable, disagreeing, or no budget.",
    { known: "Nobody was told anything that no read supports." },
  ),
  LedgerDeadLetters: edge(
    "Deliveries or events were given up and wait for a person.",
    "Review queue by those reasons: delivery_dead, delivery_gone, event_apply_failed, event_unmatched_too_long.",
  ),
  LedgerSealsLate: edge(
    "Entries of the history have not been under a seal for two hours.",
    "The worker's log for the sealing loop; the time-stamping authority, if one is set.",
    {
      known: "The chains themselves hold; only the seal over them is late.",
      mustNot: "Erase or purge anything until seals are made again.",
    },
  ),
  LedgerHistoryChanged: edge(
    "A check found that stored history is not what was written.",
    "The runbook of history_changed, and the findings of the check.",
    {
      known: "At least one entry was changed, removed, added or moved.",
      may: "Export the evidence; investigate.",
      mustNot: "Repair, restore or delete anything before the evidence is exported.",
      escalate: "At once, to compliance and the operators of the installation.",
    },
  ),
} as const satisfies Record<string, Runbook>;

export type AlertName = keyof typeof ALERT_RUNBOOKS;
