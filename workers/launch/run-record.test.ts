import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isAlive } from "./process-table";
import { beginRun, identify, type RunRecord, readRun, updateRun } from "./run-record";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "deadline-ledger-run-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

const gone = { name: "launcher", pid: 2 ** 22 + 1, start: "0" };
const record = (launcher: RunRecord["launcher"]): RunRecord => ({
  launcher,
  url: "http://localhost:1",
  env: {},
  children: [],
});

function sleeper(): number {
  const child = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
  return child.pid ?? 0;
}

test("what a killed launcher left running is stopped before the next run begins", async () => {
  const pid = sleeper();
  updateRun(folder, { ...record(gone), children: [identify("web", pid)] });
  await beginRun(folder, record(identify("launcher", process.pid)));
  expect(isAlive(pid)).toBe(false);
  expect(readRun(folder)?.launcher.pid).toBe(process.pid);
});

test("a process that got the number of a dead child is left alone", async () => {
  const pid = sleeper();
  updateRun(folder, { ...record(gone), children: [{ name: "web", pid, start: "another" }] });
  await beginRun(folder, record(identify("launcher", process.pid)));
  expect(isAlive(pid)).toBe(true);
  process.kill(pid, "SIGKILL");
});

test("a second launcher in the same folder is told where the first one serves", async () => {
  const pid = sleeper();
  updateRun(folder, record(identify("launcher", pid)));
  const second = beginRun(folder, record(identify("launcher", process.pid)));
  await expect(second).rejects.toThrow(`already runs in this folder at http://localhost:1`);
  process.kill(pid, "SIGKILL");
});

test("a record that was cut off by a kill does not stop the next run", async () => {
  writeFileSync(path.join(folder, "run.json"), `{"launcher":`);
  await beginRun(folder, record(identify("launcher", process.pid)));
  expect(readRun(folder)?.url).toBe("http://localhost:1");
});
