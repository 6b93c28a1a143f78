import type { MetricName } from "./metrics";
import type { AlertName } from "./runbook-alerts";

/** A figure of the system page in its own unit, so that the reader's side can write it out and count on. */
export type FactValue =
  | { readonly kind: "count"; readonly count: number; readonly atLeast?: boolean }
  | { readonly kind: "seconds"; readonly seconds: number | null }
  | { readonly kind: "share"; readonly part: number; readonly whole: number }
  | { readonly kind: "moment"; readonly at: string | null }
  | { readonly kind: "text"; readonly text: string };

export interface SystemFact {
  readonly label: string;
  readonly value: FactValue;
  /** The metric that says the same to Prometheus; null where there is none. */
  readonly metric: MetricName | null;
  /** The list behind it, below `/t/[tenant]`; null where there is none. */
  readonly path: string | null;
  /** The alert that this figure raises; set only while it is past that alert's limit. */
  readonly alert: AlertName | null;
}

export interface SystemGroup {
  readonly title: string;
  readonly facts: readonly SystemFact[];
}

/** The limits of docs/alerts.yml, so that page, metric and alert say the same. Seconds, unless it is a count. */
export const ALERT_LIMITS = {
  LedgerWorkerSilent: 30,
  LedgerClockSkew: 2,
  LedgerDueLag: 60,
  LedgerUnknownPastAge: 900,
  LedgerUnknownPastBound: 3_600,
  LedgerUnknownSlowToResolve: 900,
  LedgerClaimSlow: 15,
  LedgerReadBudgetEmpty: 0,
  LedgerReviewBreached: 0,
  LedgerCriticalUntaken: 600,
  LedgerPausedLong: 14_400,
  LedgerNoticesLate: 600,
  LedgerNobodyReached: 0,
  LedgerInboxNotApplied: 60,
  LedgerOutboxBacklog: 900,
  LedgerOutboxHeld: 3_600,
  LedgerDeadLetters: 0,
  LedgerSealsLate: 7_200,
} as const satisfies Partial<Record<AlertName, number>>;

/** The alert, when the figure is past its limit. */
export function alertPast(
  alert: keyof typeof ALERT_LIMITS,
  figure: number | null,
): AlertName | null {
  return figure !== null && figure > ALERT_LIMITS[alert] ? alert : null;
}
