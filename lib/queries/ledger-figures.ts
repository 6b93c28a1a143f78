import type { Figure, MetricName } from "@/lib/domain/metrics";
import {
  type Backlog,
  noticeBacklog,
  outboxBacklog,
  type ReviewBacklog,
  reviewBacklog,
} from "@/lib/store/backlog-figures";
import { type Database, ledgerNow, type Tx } from "@/lib/store/db";
import {
  activePauses,
  connectionReads,
  platformSkewSeconds,
  sealAgeSeconds,
} from "@/lib/store/machine-figures";
import {
  COUNTED_MAX,
  dueOperations,
  openOperations,
  scheduledOperations,
} from "@/lib/store/operation-figures";
import { createSums, figure } from "./figure-sums";
import { type InboxFigures, inboxFigures } from "./inbox-figures";
import { workerFigures } from "./workers";

/** A scrape that takes longer gives up: figures must never slow the ledger down. Milliseconds. */
const STATEMENT_TIMEOUT_MS = 3_000;

/**
 * The figures of the whole installation about rows: backlogs, ages, budgets, switches, clocks (OP-1). For the schema's
 * owner only, since they go across tenants. One read-only transaction of indexed statements, each with a bound and a
 * time-out, so that its cost does not grow with history; throws when the database does not answer in time.
 */
export async function ledgerFigures(owner: Database): Promise<Figure[]> {
  return owner.$transaction(
    async (tx) => {
      await readCheaply(tx);
      return [
        ...(await operationFigures(tx)),
        ...(await backlogFigures(tx)),
        ...(await machineFigures(tx)),
        ...(await workerFigures(tx)),
      ];
    },
    { timeout: 4 * STATEMENT_TIMEOUT_MS },
  );
}

/** Every statement has an index for what it looks for; a plan that reads a whole table is never the right one here. */
async function readCheaply(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT set_config('transaction_read_only', 'on', true),
    set_config('statement_timeout', ${String(STATEMENT_TIMEOUT_MS)}, true), set_config('enable_seqscan', 'off', true)`;
}

async function operationFigures(tx: Tx): Promise<Figure[]> {
  const open = await openOperations(tx);
  const scheduled = await scheduledOperations(tx);
  const due = await dueOperations(tx);
  const counts = [...open, ...scheduled.map((row) => ({ ...row, state: "scheduled" as const }))];
  return [
    ...counts.map(({ state, kind, count }) =>
      figure("deadline_ledger_operations", count, { state, kind }),
    ),
    ...open.map(({ state, kind, oldestSeconds }) =>
      figure("deadline_ledger_operations_oldest_seconds", oldestSeconds, { state, kind }),
    ),
    ...cappedStates(counts),
    ...due.map(({ kind, held, count }) =>
      figure("deadline_ledger_operations_due", count, { kind, held: held ? "yes" : "no" }),
    ),
    ...due.flatMap(({ kind, held, lagSeconds }) =>
      held ? [] : [figure("deadline_ledger_due_lag_seconds", lagSeconds ?? 0, { kind })],
    ),
  ];
}

function cappedStates(counts: readonly { readonly state: string; readonly count: number }[]) {
  const totals = new Map<string, number>();
  for (const { state, count } of counts) totals.set(state, (totals.get(state) ?? 0) + count);
  return [...totals]
    .filter(([, total]) => total >= COUNTED_MAX)
    .map(([state]) => figure("deadline_ledger_operations_capped", 1, { state }));
}

async function backlogFigures(tx: Tx): Promise<Figure[]> {
  return [
    ...reviewFigures(await reviewBacklog(tx)),
    ...inboxRows(await inboxFigures(tx)),
    ...backlog(
      "deadline_ledger_outbox_deliveries",
      "deadline_ledger_outbox_oldest_seconds",
      "state",
      await outboxBacklog(tx),
    ),
    ...backlog(
      "deadline_ledger_notices",
      "deadline_ledger_notices_oldest_seconds",
      "state",
      await noticeBacklog(tx),
    ),
  ];
}

function backlog(
  counted: MetricName,
  oldest: MetricName,
  label: string,
  rows: readonly Backlog[],
): Figure[] {
  return rows.flatMap(({ state, count, oldestSeconds }) => [
    figure(counted, count, { [label]: state }),
    figure(oldest, oldestSeconds, { [label]: state }),
  ]);
}

function inboxRows({ counts, waiting }: InboxFigures): Figure[] {
  const sums = createSums();
  for (const { outcome, count } of counts) {
    sums.add("deadline_ledger_inbox_deliveries", { outcome }, count);
  }
  for (const { outcome, count, oldestMs } of waiting) {
    sums.add("deadline_ledger_inbox_events", { outcome }, count);
    sums.most("deadline_ledger_inbox_oldest_seconds", { outcome }, oldestMs / 1000);
  }
  return sums.figures();
}

const CONSEQUENCES = ["critical", "high", "normal", "low"] as const;

function reviewFigures(rows: readonly ReviewBacklog[]): Figure[] {
  const sums = createSums();
  for (const { consequence: rank, status, reason, breached, count, oldestSeconds } of rows) {
    const consequence = CONSEQUENCES[rank - 1] ?? "low";
    sums.add("deadline_ledger_review_items", { consequence, status }, count);
    sums.add("deadline_ledger_review_items_by_reason", { reason }, count);
    sums.most("deadline_ledger_review_oldest_seconds", { consequence, status }, oldestSeconds);
    sums.add("deadline_ledger_review_breached", { consequence }, breached ? count : 0);
  }
  return sums.figures();
}

async function machineFigures(tx: Tx): Promise<Figure[]> {
  const before = Date.now();
  const now = await ledgerNow(tx);
  const hostSkew = Math.abs((before + Date.now()) / 2 - now.getTime()) / 1000;
  const platform = await platformSkewSeconds(tx);
  const reads = await connectionReads(tx);
  return [
    figure("deadline_ledger_clock_skew_seconds", hostSkew, { clock: "host" }),
    ...(platform === null
      ? []
      : [figure("deadline_ledger_clock_skew_seconds", platform, { clock: "platform" })]),
    ...reads.flatMap(({ tenantId: tenant, connectionId: connection, used, limit }) => [
      figure("deadline_ledger_connection_reads_used", used, { tenant, connection }),
      figure("deadline_ledger_connection_reads_left", limit - used, { tenant, connection }),
    ]),
    figure(
      "deadline_ledger_connections_without_reads",
      reads.filter(({ used, limit }) => used >= limit).length,
    ),
    ...(await activePauses(tx)).flatMap(({ scope, count, oldestSeconds }) => [
      figure("deadline_ledger_pauses", count, { scope }),
      figure("deadline_ledger_pause_oldest_seconds", oldestSeconds, { scope }),
    ]),
    figure("deadline_ledger_seal_age_seconds", await sealAgeSeconds(tx)),
  ];
}
