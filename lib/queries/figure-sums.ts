import type { Figure, MetricName } from "@/lib/domain/metrics";

/** Puts together rows whose labels say the same: by their sum, or by the largest. */
export function createSums() {
  const kept = new Map<string, Figure>();
  const put = (metric: MetricName, labels: Figure["labels"], join: (before: number) => number) => {
    const key = `${metric} ${JSON.stringify(labels)}`;
    kept.set(key, figure(metric, join(kept.get(key)?.value ?? 0), labels));
  };
  return {
    add: (metric: MetricName, labels: Figure["labels"], value: number) =>
      put(metric, labels, (before) => before + value),
    most: (metric: MetricName, labels: Figure["labels"], value: number) =>
      put(metric, labels, (before) => Math.max(before, value)),
    figures: () => [...kept.values()],
  };
}

/** One figure of a scrape. */
export function figure(metric: MetricName, value: number, labels: Figure["labels"] = {}): Figure {
  return { metric, labels, value };
}
