/** How a figure comes to be: read from the database at each scrape, or counted by the process that did it. */
export interface MetricWord {
  readonly type: "gauge" | "counter" | "histogram";
  readonly help: string;
  readonly labels: readonly string[];
  /** Which endpoints show it. */
  readonly of: "worker" | "web" | "both";
}

function figure<const Labels extends readonly string[]>(
  of: MetricWord["of"],
  help: string,
  ...labels: Labels
) {
  return { type: "gauge", help, labels, of } as const;
}

function counted<const Labels extends readonly string[]>(
  of: MetricWord["of"],
  help: string,
  ...labels: Labels
) {
  return { type: "counter", help, labels, of } as const;
}

function spread<const Labels extends readonly string[]>(
  of: MetricWord["of"],
  help: string,
  ...labels: Labels
) {
  return { type: "histogram", help, labels, of } as const;
}

/**
 * Every metric of OP-1 besides those of the Node process. Labels hold codes, counts of bounded sets and opaque ids,
 * never a person, a request or a link (PV-4). Figures about rows are those of the whole installation; several workers
 * show the same ones, so rules take their maximum and not their sum.
 */
export const METRICS = {
  deadline_ledger_build_info: figure(
    "both",
    "1, with the part and its version.",
    "part",
    "version",
  ),
  deadline_ledger_database_up: figure("both", "1 while the database answers a scrape, else 0."),
  deadline_ledger_figures_seconds: figure("both", "How long the figures of this scrape took."),
  deadline_ledger_log_entries_total: counted("both", "Log lines by event.", "level", "event"),

  deadline_ledger_operations: figure("worker", "Operations that have not ended.", "state", "kind"),
  deadline_ledger_operations_oldest_seconds: figure(
    "worker",
    "Age of the oldest operation in a state; for unknown ones since they became unknown.",
    "state",
    "kind",
  ),
  deadline_ledger_operations_capped: figure(
    "worker",
    "1 where counting stopped at its bound, so that the count says at least.",
    "state",
  ),
  deadline_ledger_operations_due: figure(
    "worker",
    "Scheduled operations whose time has come, by whether a switch or a mode holds them.",
    "kind",
    "held",
  ),
  deadline_ledger_due_lag_seconds: figure(
    "worker",
    "How long the oldest operation that could start has been due.",
    "kind",
  ),
  deadline_ledger_review_items: figure(
    "worker",
    "Review items in the queue.",
    "consequence",
    "status",
  ),
  deadline_ledger_review_items_by_reason: figure(
    "worker",
    "Review items in the queue by reason code.",
    "reason",
  ),
  deadline_ledger_review_oldest_seconds: figure(
    "worker",
    "Age of the oldest review item in the queue.",
    "consequence",
    "status",
  ),
  deadline_ledger_review_breached: figure(
    "worker",
    "Review items older than the limit of their consequence.",
    "consequence",
  ),
  deadline_ledger_inbox_events: figure("worker", "Recorded events not applied.", "outcome"),
  deadline_ledger_inbox_oldest_seconds: figure(
    "worker",
    "Age of the oldest recorded event that is not applied.",
    "outcome",
  ),
  deadline_ledger_inbox_deliveries: figure(
    "worker",
    "Deliveries of platforms since the connections exist, by what became of them.",
    "outcome",
  ),
  deadline_ledger_outbox_deliveries: figure("worker", "Deliveries not made yet.", "state"),
  deadline_ledger_outbox_oldest_seconds: figure(
    "worker",
    "Age of the oldest delivery that is not made yet.",
    "state",
  ),
  deadline_ledger_notices: figure("worker", "Notices to people that have not left.", "state"),
  deadline_ledger_notices_oldest_seconds: figure(
    "worker",
    "Age of the oldest notice that has not left.",
    "state",
  ),
  deadline_ledger_connection_reads_used: figure(
    "worker",
    "Reads of the last hour of connections with a limit, for at most 100 of them.",
    "tenant",
    "connection",
  ),
  deadline_ledger_connection_reads_left: figure(
    "worker",
    "Reads left in the hour, for the same connections.",
    "tenant",
    "connection",
  ),
  deadline_ledger_connections_without_reads: figure(
    "worker",
    "Connections whose reads of the hour are used up.",
  ),
  deadline_ledger_pauses: figure("worker", "Switches that are on.", "scope"),
  deadline_ledger_pause_oldest_seconds: figure("worker", "Age of the oldest switch.", "scope"),
  deadline_ledger_clock_skew_seconds: figure(
    "worker",
    "Largest difference from the database's clock, in either direction, by whose clock it is.",
    "clock",
  ),
  deadline_ledger_seal_age_seconds: figure(
    "worker",
    "For the tenant that waits longest: since its oldest change that no seal covers.",
  ),

  deadline_ledger_workers: figure("both", "Worker processes of the last hour.", "state"),
  deadline_ledger_worker_heartbeat_age_seconds: figure(
    "both",
    "Since the last heartbeat of each worker that has not said goodbye.",
    "worker",
  ),
  deadline_ledger_worker_in_hand: figure("both", "Passes that a worker has under way.", "worker"),

  deadline_ledger_claim_latency_seconds: spread(
    "worker",
    "From being due and approved until a worker has claimed it.",
    "kind",
  ),
  deadline_ledger_claim_statement_seconds: spread(
    "worker",
    "Duration of a claiming statement, whatever it gave.",
    "work",
  ),
  deadline_ledger_claims_empty_total: counted(
    "worker",
    "Claims that gave nothing although something was due: held, at a quota, or in another worker's turn.",
  ),
  deadline_ledger_claim_conflicts_total: counted(
    "worker",
    "Claim, submit and outcome statements with zero rows: somebody else was there first.",
    "statement",
  ),
  deadline_ledger_passes_total: counted(
    "worker",
    "Passes over operations by where they began and what they came to.",
    "kind",
    "from",
    "to",
  ),
  deadline_ledger_set_aside_total: counted(
    "worker",
    "Operations that were quarantined or need a review, by cause.",
    "state",
    "reason",
  ),
  deadline_ledger_unknown_total: counted(
    "worker",
    "Operations that became unknown after a call, by cause.",
    "kind",
    "reason",
  ),
  deadline_ledger_unknown_resolved_seconds: spread(
    "worker",
    "From becoming unknown until a look settled it.",
    "kind",
    "to",
  ),
  deadline_ledger_attempts_per_operation: spread(
    "worker",
    "Calls that an operation needed until it ended.",
    "kind",
  ),
  deadline_ledger_duplicates_detected_total: counted(
    "worker",
    "Passes that found more than one effect of one operation.",
    "kind",
  ),

  deadline_ledger_webhook_deliveries_total: counted(
    "web",
    "Deliveries of platforms by what became of them.",
    "outcome",
  ),
  deadline_ledger_webhook_seconds: spread("web", "Until a delivery was answered.", "outcome"),
  deadline_ledger_http_answers_total: counted("web", "Answers of the API.", "method", "status"),
} as const satisfies Record<string, MetricWord>;

export type MetricName = keyof typeof METRICS;

/** One figure of a scrape: its metric, the label values by name, and the value in the metric's own unit. */
export interface Figure {
  readonly metric: MetricName;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}
