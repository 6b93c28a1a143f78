import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { METRICS, type MetricName } from "@/lib/domain/metrics";
import { LATER_REASONS, opensReview, REASON_CODES } from "@/lib/domain/reason";
import { REFUSALS } from "@/lib/domain/refusal-words";
import { REASON_RUNBOOKS, RUNBOOK_CHAPTERS, runbookOf } from "@/lib/domain/runbook";
import { ALERT_RUNBOOKS } from "@/lib/domain/runbook-alerts";
import { chapterText, contentsText } from "@/lib/domain/runbook-document";
import { REFUSAL_RUNBOOKS } from "@/lib/domain/runbook-refusals";
import { ALERT_LIMITS } from "@/lib/domain/system-fact";
import { projectRoot } from "@/workers/launch/root";
import { createMetrics } from "./metrics";

const RULES = path.join(projectRoot, "docs/alerts.yml");
const RUNBOOKS = path.join(projectRoot, "docs/runbooks");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const rules = (
  parse(readFileSync(RULES, "utf8")) as { groups: { name: string; rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);

/** The metric behind a name in a rule: histograms are asked by their parts. */
function metricOf(name: string): MetricName | null {
  const base = name.replace(/_(?:bucket|sum|count)$/, "");
  const known = Object.keys(METRICS) as MetricName[];
  return (
    known.find((one) => one === name) ??
    known.find((one) => one === base && METRICS[one].type === "histogram") ??
    null
  );
}

test("OP-1: every metric and label that a rule names is one that an endpoint exposes", async () => {
  const exposed = (
    await Promise.all([createMetrics("worker", "x").text(), createMetrics("web", "x").text()])
  ).join("\n");
  for (const { alert, expr } of rules) {
    const names = expr.match(/\bdeadline_ledger_\w+/g) ?? [];
    expect(names.length, alert).toBeGreaterThan(0);
    for (const name of names) {
      const metric = metricOf(name);
      expect(metric, `${alert}: ${name}`).not.toBeNull();
      expect(exposed, `${alert}: ${name}`).toContain(`# TYPE ${metric} `);
      const selector = new RegExp(`${name}\\{([^}]*)\\}`).exec(expr)?.[1] ?? "";
      for (const [, label = ""] of selector.matchAll(/(\w+)\s*(?:=~|!=|!~|=)/g)) {
        const labels: readonly string[] = metric === null ? [] : METRICS[metric].labels;
        expect(labels, `${alert}: ${name}{${label}}`).toContain(label);
      }
    }
    for (const [, by = ""] of expr.matchAll(/\bby \(([^)]*)\)/g)) {
      const known = Object.values(METRICS).flatMap((one): readonly string[] => one.labels);
      for (const label of by.split(",")) expect([...known, "le"], alert).toContain(label.trim());
    }
  }
});

test("OP-4: every rule has its runbook and every runbook of an alert its rule", () => {
  expect(rules.map(({ alert }) => alert).sort()).toEqual(Object.keys(ALERT_RUNBOOKS).sort());
  for (const { alert, labels, annotations } of rules) {
    expect(annotations.runbook, alert).toBe(`docs/runbooks/alerts.md#${alert.toLowerCase()}`);
    expect(["page", "ticket"], alert).toContain(labels.severity);
    expect(annotations.summary.length, alert).toBeGreaterThan(20);
  }
});

test("OP-1: what the system page marks as too high is what the alert of that name fires at", () => {
  for (const [alert, limit] of Object.entries(ALERT_LIMITS)) {
    const rule = rules.find((one) => one.alert === alert);
    expect(rule?.expr, alert).toMatch(new RegExp(`> ${limit}$`));
  }
});

test("OP-1: promtool accepts the rules and the exposed text, where it is installed", async () => {
  const found = (process.env.PATH ?? "")
    .split(path.delimiter)
    .map((folder) => path.join(folder, "promtool"))
    .find(existsSync);
  const accepts = (args: string[], input = "") =>
    found === undefined ? "not installed" : execFileSync(found, args, { input, encoding: "utf8" });
  expect(accepts(["check", "rules", RULES])).toMatch(/SUCCESS|not installed/);
  // When they fire, by a clock of its own.
  const firing = path.join(projectRoot, "docs/alerts.test.yml");
  expect(accepts(["test", "rules", firing])).toMatch(/SUCCESS|not installed/);
  // Lint messages end with status 3, which throws.
  const metrics = createMetrics("worker", "x");
  metrics.observe("deadline_ledger_claim_latency_seconds", { kind: "send" }, 1);
  expect(accepts(["check", "metrics"], await ours(metrics.text()))).toMatch(/^(not installed)?$/);
});

/** Ours alone: names of the Node process are those of its library. */
async function ours(text: Promise<string>): Promise<string> {
  const lines = (await text).split("\n").filter((line) => /^(# \w+ )?deadline_ledger_/.test(line));
  return `${lines.join("\n")}\n`;
}

test("OP-4: every reason code has a section of its own, and no section is about a code that does not exist", () => {
  expect(Object.keys(REASON_RUNBOOKS).sort()).toEqual([...REASON_CODES].sort());
  const sections = RUNBOOK_CHAPTERS.flatMap(({ codes }) => codes);
  expect(new Set(sections).size).toBe(sections.length);
  expect(sections.toSorted()).toEqual(
    [...REASON_CODES, ...Object.keys(REFUSAL_RUNBOOKS), ...Object.keys(ALERT_RUNBOOKS)].toSorted(),
  );
  for (const code of Object.keys(REFUSAL_RUNBOOKS)) expect(Object.keys(REFUSALS)).toContain(code);
  for (const code of sections) {
    for (const [part, text] of Object.entries(runbookOf(code) ?? {})) {
      expect(text, `${code}, ${part}`).toMatch(/^[A-Z].{9,}[.]$/s);
    }
  }
  expect(runbookOf("constructor")).toBeNull();
});

test("RV-1: every reason that asks for a person is given by something, or stands among those of a later release", () => {
  const sources = ["lib/domain", "lib/flows", "lib/store"].flatMap((folder) =>
    readdirSync(path.join(projectRoot, folder))
      .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|^(reason|runbook|notice)/.test(file))
      .map((file) => path.join(projectRoot, folder, file)),
  );
  // Words, options and weights of a reason do not give it.
  const words = /(?:consequence|decision-options|decision-family|operation-sentence)\.ts$/;
  const text = sources
    .filter((file) => !words.test(file))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  const asking = REASON_CODES.filter(opensReview);
  const given = asking.filter((code) => new RegExp(`["'\`]${code}["'\`]`).test(text));
  expect(asking.filter((code) => !given.includes(code)).toSorted()).toEqual(
    LATER_REASONS.toSorted(),
  );
});

test("OP-4: the files in docs/runbooks are the sections that the console shows", async () => {
  const files = RUNBOOK_CHAPTERS.map(({ file }) => `${file}.md`);
  expect(readdirSync(RUNBOOKS).sort()).toEqual([...files, "README.md"].sort());
  // `npx vitest run -u` on this file writes them anew.
  await expect(contentsText()).toMatchFileSnapshot(path.join(RUNBOOKS, "README.md"));
  for (const chapter of RUNBOOK_CHAPTERS) {
    const file = path.join(RUNBOOKS, `${chapter.file}.md`);
    await expect(chapterText(chapter)).toMatchFileSnapshot(file);
  }
});
