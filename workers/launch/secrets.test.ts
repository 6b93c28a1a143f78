import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { demoSecrets } from "./secrets";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "deadline-ledger secrets-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

test("the secrets are made once, and only their owner can read them", () => {
  const made = demoSecrets(folder);
  expect(Buffer.from(made.vaultKey, "base64")).toHaveLength(32);
  expect(made.isNew).toBe(true);
  expect(demoSecrets(folder)).toEqual({ ...made, isNew: false });
  expect(statSync(path.join(folder, "secrets.json")).mode & 0o777).toBe(0o600);
});

test("lost secrets are not replaced while data that needs them is there", () => {
  mkdirSync(path.join(folder, "postgres"));
  expect(() => demoSecrets(folder)).toThrow(/secrets.json is missing/);
});

test("secrets that cannot be understood stop the start with what to do", () => {
  writeFileSync(path.join(folder, "secrets.json"), "{}");
  expect(() => demoSecrets(folder)).toThrow(/delete .data to begin anew/);
});
