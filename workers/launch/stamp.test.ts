import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { contentStamp, isStamped, writeStamp } from "./stamp";

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "deadline-ledger-stamp-"));
  mkdirSync(path.join(root, "app/deep"), { recursive: true });
  writeFileSync(path.join(root, "app/deep/page.ts"), "one");
});

afterEach(() => rmSync(root, { recursive: true }));

const stamp = () => contentStamp(root, ["app", "absent.ts"], /\.test\.ts$/);

test("the stamp changes with a content, with a name and with a new file, and not with a test", () => {
  const before = stamp();
  writeFileSync(path.join(root, "app/page.test.ts"), "left out");
  expect(stamp()).toBe(before);
  writeFileSync(path.join(root, "app/deep/page.ts"), "two");
  const changed = stamp();
  writeFileSync(path.join(root, "app/other.ts"), "");
  expect(new Set([before, changed, stamp()]).size).toBe(3);
});

test("what carries another stamp, or none, is not up to date", () => {
  const file = path.join(root, "out/stamp");
  expect(isStamped(file, stamp())).toBe(false);
  writeStamp(file, stamp());
  expect(isStamped(file, stamp())).toBe(true);
  expect(isStamped(file, "other")).toBe(false);
});
