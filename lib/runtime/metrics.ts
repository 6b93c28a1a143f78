import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type Figure, METRICS, type MetricName } from "@/lib/domain/metrics";
import type { Log, LogEntry } from "@/lib/flows/context";

type Labels = Readonly<Record<string, string>>;

/** The metrics of one process. Names and labels that `METRICS` does not know are refused by the compiler or prom-client. */
export interface Metrics {
  count(metric: MetricName, labels?: Labels): void;
  observe(metric: MetricName, labels: Labels, value: number): void;
  /** Replaces what the gauges show: a figure that is missing is gone, and not what it was before. */
  show(figures: readonly Figure[]): void;
  /** The text that Prometheus reads. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** Seconds from a few milliseconds to a day: waits, statements and the age of an unknown. */
const SECONDS = [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400];
const CALLS = [1, 2, 3, 4, 5, 8, 12];

const NAMES = Object.keys(METRICS) as readonly MetricName[];

/** A registry with every metric of `part`; one per process, since a second one would show other counts. */
export function createMetrics(part: "worker" | "web", version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const gauges = new Map<MetricName, Gauge>();
  const counters = new Map<MetricName, Counter>();
  const histograms = new Map<MetricName, Histogram>();
  for (const name of NAMES.filter((one) => isOf(one, part))) {
    const { type, help } = METRICS[name];
    const base = { name, help, labelNames: [...METRICS[name].labels], registers };
    const buckets = name === "deadline_ledger_attempts_per_operation" ? CALLS : SECONDS;
    if (type === "gauge") gauges.set(name, new Gauge(base));
    else if (type === "counter") counters.set(name, new Counter(base));
    else histograms.set(name, new Histogram({ ...base, buckets }));
  }
  gauges.get("deadline_ledger_build_info")?.set({ part, version }, 1);
  return {
    count: (metric, labels = {}) => counters.get(metric)?.inc(labels),
    observe: (metric, labels, value) => histograms.get(metric)?.observe(labels, value),
    show: (figures) => {
      for (const [name, gauge] of gauges) if (name !== "deadline_ledger_build_info") gauge.reset();
      for (const { metric, labels, value } of figures) gauges.get(metric)?.set(labels, value);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function isOf(name: MetricName, part: "worker" | "web"): boolean {
  return METRICS[name].of === part || METRICS[name].of === "both";
}

/** The same log, with every line counted by its event: events are codes, so that there are only so many. */
export function countingLog(log: Log, metrics: Metrics): Log {
  const counted = (level: keyof Log) => (entry: LogEntry) => {
    metrics.count("deadline_ledger_log_entries_total", { level, event: entry.event });
    log[level](entry);
  };
  return {
    debug: counted("debug"),
    info: counted("info"),
    warn: counted("warn"),
    error: counted("error"),
  };
}
