import { expect, test } from "vitest";
import { type Figure, METRICS, type MetricName } from "@/lib/domain/metrics";
import type { LogEntry } from "@/lib/flows/context";
import { createLatencies } from "./latencies";
import { countingLog, createMetrics } from "./metrics";
import { createScrape } from "./scrape";
import { createWorkerMeter } from "./worker-meter";

const silent = () => undefined;
const SILENT = { debug: silent, info: silent, warn: silent, error: silent };
const PAUSES: Figure = { metric: "deadline_ledger_pauses", labels: { scope: "tenant" }, value: 2 };

test("OP-1: every metric is exposed by the endpoint that it belongs to, with its help", async () => {
  for (const part of ["worker", "web"] as const) {
    const text = await createMetrics(part, "1.2.3").text();
    for (const name of Object.keys(METRICS) as MetricName[]) {
      const { of, type, help } = METRICS[name];
      const shown =
        text.includes(`# HELP ${name} ${help}`) && text.includes(`# TYPE ${name} ${type}`);
      expect(shown, `${name} of ${part}`).toBe(of === "both" || of === part);
    }
    expect(text).toContain(`deadline_ledger_build_info{part="${part}",version="1.2.3"} 1`);
  }
});

test("OP-1: what a worker does is counted by state, cause and kind, and durations are spread, not averaged", async () => {
  const metrics = createMetrics("worker", "dev");
  const meter = createWorkerMeter(metrics);
  meter.claimed("due", 12, [{ kind: "extend", waitedMs: 3_000 }]);
  meter.conflict("submit");
  const move = { kind: "send", attempts: 2, unknownForMs: null } as const;
  meter.passEnded({ ...move, from: "submitting", to: "needs_reconcile", reason: "call_timed_out" });
  meter.passEnded({
    ...move,
    from: "reconciling",
    to: "needs_review",
    reason: "possible_duplicate",
    unknownForMs: 90_000,
  });
  meter.passEnded({ ...move, from: "reconciling", to: "done", reason: "effect_found_by_lookup" });
  const text = await metrics.text();
  for (const line of [
    'deadline_ledger_claim_latency_seconds_bucket{le="5",kind="extend"} 1',
    'deadline_ledger_claim_conflicts_total{statement="submit"} 1',
    'deadline_ledger_unknown_total{kind="send",reason="call_timed_out"} 1',
    'deadline_ledger_set_aside_total{state="needs_review",reason="possible_duplicate"} 1',
    'deadline_ledger_duplicates_detected_total{kind="send"} 1',
    'deadline_ledger_unknown_resolved_seconds_sum{kind="send",to="needs_review"} 90',
    'deadline_ledger_attempts_per_operation_bucket{le="2",kind="send"} 1',
  ]) {
    expect(text).toContain(line);
  }
  expect(meter.pace()).toEqual({ claims: 1, conflicts: 1, claimP95Ms: 3_000, claimMaxMs: 3_000 });
});

test("OP-1: scrapes within seconds share one reading, and a figure that is gone is not shown as before", async () => {
  let now = 0;
  let readings = 0;
  const shown: Figure[][] = [[PAUSES], []];
  const metrics = createMetrics("worker", "dev");
  const scrape = createScrape(
    metrics,
    async () => shown[readings++] ?? [],
    SILENT,
    () => now,
  );
  const [one, two] = await Promise.all([scrape(), scrape()]);
  expect(one).toContain('deadline_ledger_pauses{scope="tenant"} 2');
  expect(two).toContain("deadline_ledger_pauses{");
  now = 4_000;
  await scrape();
  expect(readings).toBe(1);
  now = 6_000;
  expect(await scrape()).not.toContain("deadline_ledger_pauses{");
  expect(readings).toBe(2);
});

test("OP-1: a database that does not answer shows as such and never as zeros", async () => {
  const entries: LogEntry[] = [];
  const metrics = createMetrics("worker", "dev");
  const log = { ...SILENT, warn: (entry: LogEntry) => void entries.push(entry) };
  const scrape = createScrape(metrics, () => Promise.reject(new Error("gone")), log);
  const text = await scrape();
  expect(text).toContain("deadline_ledger_database_up 0");
  expect(text).not.toMatch(/^deadline_ledger_(operations|review_items|pauses)[{ ]/m);
  expect(entries.map(({ event }) => event)).toEqual(["figures_not_read"]);
});

test("OP-1: log lines are counted by their event and still written", async () => {
  const written: string[] = [];
  const metrics = createMetrics("web", "dev");
  const log = countingLog({ ...SILENT, error: ({ event }) => void written.push(event) }, metrics);
  log.error({ event: "pass_failed", tenant: "8f1c" });
  expect(written).toEqual(["pass_failed"]);
  expect(await metrics.text()).toContain(
    'deadline_ledger_log_entries_total{level="error",event="pass_failed"} 1',
  );
});

test("OP-1: the spread of a page forgets what is older than an hour", () => {
  let now = 0;
  const latencies = createLatencies(() => now);
  expect(latencies.quantile(0.95)).toBeNull();
  for (let ms = 1; ms <= 100; ms += 1) latencies.add(ms);
  expect([latencies.quantile(0.95), latencies.quantile(1)]).toEqual([95, 100]);
  now = 3_600_001;
  latencies.add(7);
  expect(latencies.quantile(1)).toBe(7);
});
