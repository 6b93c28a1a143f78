import type { Figure } from "@/lib/domain/metrics";
import type { Log } from "@/lib/flows/context";
import { describeError } from "./log";
import type { Metrics } from "./metrics";

/** Several Prometheus servers, or an impatient one, share what was read within this time. Milliseconds. */
const KEPT_MS = 5_000;

/** Prometheus gives up after ten seconds unless told otherwise; it should hear before that what is wrong. */
const READ_WITHIN_MS = 8_000;

/**
 * What an endpoint answers to a scrape. The figures are read at most once in `KEPT_MS`, by one reader at a time; when
 * they cannot be read the text says so (`deadline_ledger_database_up` 0) and shows no old figure as a present one.
 */
export function createScrape(
  metrics: Metrics,
  readFigures: () => Promise<readonly Figure[]>,
  log: Log,
  nowMs: () => number = () => performance.now(),
): () => Promise<string> {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;
  const refresh = async () => {
    const beganAtMs = nowMs();
    const figures = await within(READ_WITHIN_MS, readFigures()).catch((error: unknown) => {
      log.warn({ event: "figures_not_read", error: describeError(error) });
      return null;
    });
    metrics.show([
      ...(figures ?? []),
      { metric: "deadline_ledger_database_up", labels: {}, value: figures === null ? 0 : 1 },
      {
        metric: "deadline_ledger_figures_seconds",
        labels: {},
        value: (nowMs() - beganAtMs) / 1000,
      },
    ]);
    readAtMs = nowMs();
  };
  return async () => {
    if (nowMs() - readAtMs >= KEPT_MS) {
      reading ??= refresh().finally(() => {
        reading = null;
      });
    }
    await reading;
    return metrics.text();
  };
}

/** Rejects when `work` takes longer. Its result is thrown away then; its statements have time-outs of their own. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("figures took too long")), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
