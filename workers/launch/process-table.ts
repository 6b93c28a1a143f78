import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** Whether a process with this number exists; one that has ended but was not collected counts as gone. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return statOf(pid)?.state !== "Z";
}

/** The command line of a process, or null when it cannot be read. */
export function commandOf(pid: number): string | null {
  if (existsSync("/proc/self")) {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    } catch {
      return null; // It ended meanwhile, or belongs to somebody else.
    }
  }
  return psField(pid, "command");
}

/**
 * Says when a process began, in a form that is only good for comparison: together with the number it names
 * one process for ever, where the number alone is given out again.
 */
export function startOf(pid: number): string | null {
  return existsSync("/proc/self") ? (statOf(pid)?.start ?? null) : psField(pid, "lstart");
}

/** Waits until a process is gone; false when it is still there after the time. */
export async function waitForEnd(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}

function statOf(pid: number): { state: string; start: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in brackets may hold spaces and brackets; what follows the last one is regular.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", start: fields[19] ?? "" };
  } catch {
    return null; // No such process, or no /proc on this system.
  }
}

function psField(pid: number, field: string): string | null {
  const ps = spawnSync("ps", ["-o", `${field}=`, "-p", String(pid)], { encoding: "utf8" });
  return ps.status === 0 ? ps.stdout.trim() : null;
}
