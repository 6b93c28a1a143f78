import { alertPast, type SystemGroup } from "@/lib/domain/system-fact";
import type { Backlog, ReviewBacklog } from "@/lib/store/backlog-figures";
import type { ProofFigures } from "@/lib/store/proof-figures";
import type { InboxWaiting } from "./inbox-figures";
import { count, fact, moment, seconds } from "./system-facts";

function oldestOf(rows: readonly { readonly oldestSeconds: number }[]): number | null {
  return rows.length === 0 ? null : Math.max(...rows.map((row) => row.oldestSeconds));
}

function total(rows: readonly { readonly count: number }[]): number {
  return rows.reduce((sum, row) => sum + row.count, 0);
}

/** What waits for people, and whether they are told. */
export function peopleFacts(
  reviews: readonly ReviewBacklog[],
  notices: readonly Backlog[],
): SystemGroup {
  const waiting = reviews.filter(({ status }) => status !== "settled");
  const breached = total(waiting.filter((row) => row.breached));
  const untaken = waiting.filter((row) => row.consequence === 1 && row.status === "open");
  const unreached = total(waiting.filter((row) => row.reason === "notification_failed"));
  return {
    title: "People and notices",
    facts: [
      fact(
        "Review items open",
        count(total(waiting)),
        "deadline_ledger_review_items",
        "/reviews?view=all",
      ),
      fact(
        "Past their limit",
        count(breached),
        "deadline_ledger_review_breached",
        "/reviews?view=breached",
        alertPast("LedgerReviewBreached", breached),
      ),
      fact(
        "Oldest critical one that nobody took",
        seconds(oldestOf(untaken)),
        "deadline_ledger_review_oldest_seconds",
        "/reviews?view=critical",
        alertPast("LedgerCriticalUntaken", oldestOf(untaken)),
      ),
      fact(
        "Oldest notice that has not left",
        seconds(oldestOf(notices)),
        "deadline_ledger_notices_oldest_seconds",
        "/settings/notifications",
        alertPast("LedgerNoticesLate", oldestOf(notices)),
      ),
      fact(
        "Matters of which nobody was reached",
        count(unreached),
        "deadline_ledger_review_items_by_reason",
        "/reviews?view=all&reason=notification_failed",
        alertPast("LedgerNobodyReached", unreached),
      ),
    ],
  };
}

/** Recorded events that are not applied, or wait for the send that they belong to. */
export function inboxFacts(waiting: readonly InboxWaiting[]): SystemGroup {
  const received = waiting.filter((row) => row.outcome === "received");
  const unmatched = waiting.filter((row) => row.outcome === "unmatched");
  const age = oldestOf(received.map((row) => ({ oldestSeconds: row.oldestMs / 1000 })));
  return {
    title: "Inbox",
    facts: [
      fact(
        "Events not applied",
        count(total(received)),
        "deadline_ledger_inbox_events",
        "/inbox?outcome=received",
      ),
      fact(
        "Oldest event not applied",
        seconds(age),
        "deadline_ledger_inbox_oldest_seconds",
        "/inbox?outcome=received",
        alertPast("LedgerInboxNotApplied", age),
      ),
      fact(
        "Events without their send",
        count(total(unmatched)),
        "deadline_ledger_inbox_events",
        "/inbox?outcome=unmatched",
      ),
    ],
  };
}

/** What subscribers have not been told. */
export function outboxFacts(outbox: readonly Backlog[]): SystemGroup {
  const told = outbox.filter((row) => row.state !== "held");
  const held = outbox.filter((row) => row.state === "held");
  const waiting = "/outbox?state=queued,retrying";
  return {
    title: "Outbox",
    facts: [
      fact(
        "Deliveries that wait",
        count(total(told)),
        "deadline_ledger_outbox_deliveries",
        waiting,
      ),
      fact(
        "Oldest delivery that waits",
        seconds(oldestOf(told)),
        "deadline_ledger_outbox_oldest_seconds",
        waiting,
        alertPast("LedgerOutboxBacklog", oldestOf(told)),
      ),
      fact(
        "Ends that wait for a read before they are told",
        count(total(held)),
        "deadline_ledger_outbox_deliveries",
        "/outbox?state=held",
        alertPast("LedgerOutboxHeld", oldestOf(held)),
      ),
    ],
  };
}

/** Seals, time stamps and checks of the history. */
export function proofFacts(proof: ProofFigures, unsealedSeconds: number): SystemGroup {
  const findings = proof.findings ?? 0;
  return {
    title: "Proof",
    facts: [
      fact("Last seal", moment(proof.sealedAt), null, null),
      fact(
        "Oldest entry without a seal",
        seconds(unsealedSeconds === 0 ? null : unsealedSeconds),
        "deadline_ledger_seal_age_seconds",
        null,
        alertPast("LedgerSealsLate", unsealedSeconds),
      ),
      fact("Last time stamp", moment(proof.stampedAt), null, null),
      fact("Last check of the history", moment(proof.checkedAt), null, null),
      fact(
        "Changes that it found",
        count(findings),
        "deadline_ledger_review_items_by_reason",
        "/reviews?view=all&reason=history_changed",
        findings > 0 ? "LedgerHistoryChanged" : null,
      ),
    ],
  };
}
