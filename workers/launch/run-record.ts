import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { isAlive, startOf, waitForEnd } from "./process-table";

const Process = z.object({ name: z.string(), pid: z.number(), start: z.string().nullable() });
const Record = z.object({
  launcher: Process,
  url: z.string().nullable(),
  /** What `npm run web`, `worker` and `sandbox` need to join in. */
  env: z.record(z.string(), z.string()),
  children: z.array(Process),
});

export type RunRecord = z.infer<typeof Record>;

/** A launcher whose own starter was killed notices within a second and stops what it holds in this time. */
const ORPHAN_STOPS_MS = 5_000;

export function identify(name: string, pid: number): RunRecord["launcher"] {
  return { name, pid, start: startOf(pid) };
}

/** The run that is recorded in this folder, or null when there is none. */
export function readRun(dataFolder: string): RunRecord | null {
  try {
    return Record.parse(JSON.parse(readFileSync(fileIn(dataFolder), "utf8")));
  } catch {
    return null; // No run, or one that was killed while it wrote: nothing to learn from it.
  }
}

export function isRunning({ pid, start }: RunRecord["launcher"]): boolean {
  return isAlive(pid) && (start === null || startOf(pid) === start);
}

/**
 * Makes this process the one launcher of the folder. What a killed launcher left running is stopped first;
 * throws when another launcher is at work.
 */
export async function beginRun(dataFolder: string, record: RunRecord): Promise<void> {
  const earlier = readRun(dataFolder);
  if (earlier && isRunning(earlier.launcher)) {
    if (!(await waitForEnd(earlier.launcher.pid, ORPHAN_STOPS_MS))) {
      throw new Error(
        `Deadline Ledger already runs in this folder${earlier.url ? ` at ${earlier.url}` : ""} ` +
          `(process ${earlier.launcher.pid}). Stop it with Ctrl-C or kill ${earlier.launcher.pid}.`,
      );
    }
  }
  for (const child of earlier?.children ?? []) await stopLeftover(child);
  rmSync(fileIn(dataFolder), { force: true });
  try {
    writeFileSync(fileIn(dataFolder), JSON.stringify(record), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new Error("Deadline Ledger is being started twice in this folder.", { cause: error });
  }
}

/** Replaces the record in one step, so that a reader never sees half of it. */
export function updateRun(dataFolder: string, record: RunRecord): void {
  const file = fileIn(dataFolder);
  writeFileSync(`${file}.new`, JSON.stringify(record), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function endRun(dataFolder: string): void {
  rmSync(fileIn(dataFolder), { force: true });
}

async function stopLeftover(child: RunRecord["launcher"]): Promise<void> {
  if (!isRunning(child)) return;
  process.kill(child.pid, "SIGTERM");
  if (await waitForEnd(child.pid, 30_000)) return;
  process.kill(child.pid, "SIGKILL");
  await waitForEnd(child.pid, 5_000);
}

function fileIn(dataFolder: string): string {
  return path.join(dataFolder, "run.json");
}
