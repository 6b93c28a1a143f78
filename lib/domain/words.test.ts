import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { OPERATION_STATES } from "./operation";
import { filled } from "./sentence";
import {
  AGE_BAND_WORDS,
  ageBandOf,
  CHAIN_WORDS,
  CONNECTION_WORDS,
  MODE_WORDS,
  SWITCH_WORDS,
  VERIFICATION_WORDS,
  WORKER_WORDS,
} from "./system-words";
import {
  APPROVAL_WORDS,
  OPERATION_WORDS,
  REQUEST_WORD_CODES,
  REQUEST_WORDS,
  REVIEW_WORDS,
  type Word,
} from "./words";

const FAMILIES: Record<string, Record<string, Word>> = {
  operation: OPERATION_WORDS,
  request: REQUEST_WORDS,
  review: REVIEW_WORDS,
  approval: APPROVAL_WORDS,
  mode: MODE_WORDS,
  switch: SWITCH_WORDS,
  connection: CONNECTION_WORDS,
  worker: WORKER_WORDS,
  chain: CHAIN_WORDS,
  verification: VERIFICATION_WORDS,
  age: AGE_BAND_WORDS,
};

const words = (): Word[] => Object.values(FAMILIES).flatMap((family) => Object.values(family));

test("SM-1: every operation state and request status has its words", () => {
  expect(Object.keys(OPERATION_WORDS)).toEqual([...OPERATION_STATES]);
  expect(Object.keys(REQUEST_WORDS).sort()).toEqual([...REQUEST_WORD_CODES].sort());
});

test("screens 2: every icon exists in the icon set that ships with the console", () => {
  const icons = join(
    dirname(createRequire(import.meta.url).resolve("lucide-react")),
    "..",
    "esm",
    "icons",
  );
  for (const { icon, label } of words()) {
    expect(
      existsSync(join(icons, `${icon}.mjs`)) || existsSync(join(icons, `${icon}.js`)),
      `${label}: ${icon}`,
    ).toBe(true);
  }
});

test("screens 0: no two badges of a family look the same in greyscale", () => {
  for (const [name, family] of Object.entries(FAMILIES)) {
    const labels = Object.values(family).map(({ label }) => label);
    expect(new Set(labels).size, name).toBe(labels.length);
  }
});

test("screens 0: no word claims success, failure or a sync that no read supports", () => {
  for (const { label, sentence } of words()) {
    if (label === VERIFICATION_WORDS.failed.label) continue;
    expect(`${label} ${sentence}`).not.toMatch(/\b(?:success|failed|synced)/i);
  }
});

test("screens 2.1: unknown says when it looks again, and only when that is known", () => {
  const { sentence } = OPERATION_WORDS.needs_reconcile;
  expect(filled(sentence, { next: "16:24 UTC" })).toBe(
    "We could not confirm that the platform applied this. It is not repeated. Checking again at 16:24 UTC.",
  );
  expect(filled(sentence, {})).toBe(
    "We could not confirm that the platform applied this. It is not repeated.",
  );
});

test("a sentence shows a missing value as missing and never fills from a prototype", () => {
  expect(filled("{a} and {constructor}[ or {b}].", { a: 0, b: null })).toBe(
    "0 and (not recorded).",
  );
});

test("screens 2.3: an item warns from half of its limit and is late from the limit on", () => {
  expect([0, 449, 450, 899, 900].map((age) => ageBandOf(age, 900))).toEqual([
    "within",
    "within",
    "warning",
    "warning",
    "breached",
  ]);
});
