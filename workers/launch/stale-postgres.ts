import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { commandOf, isAlive, waitForEnd } from "./process-table";

/**
 * Stops the server that a killed run left behind on this data folder. A lock file whose process is gone is
 * PostgreSQL's own business; one whose number now belongs to another program is removed.
 */
export async function stopStalePostgres(dataFolder: string): Promise<void> {
  const lockFile = path.join(dataFolder, "postmaster.pid");
  if (!existsSync(lockFile)) return;
  const pid = Number(readFileSync(lockFile, "utf8").split("\n")[0]);
  if (!isAlive(pid)) return;
  if (!commandOf(pid)?.includes(dataFolder)) {
    rmSync(lockFile, { force: true });
    return;
  }
  process.kill(pid, "SIGINT");
  if (await waitForEnd(pid, 20_000)) return;
  process.kill(pid, "SIGQUIT");
  if (await waitForEnd(pid, 10_000)) return;
  throw new Error(
    `A PostgreSQL server (process ${pid}) still uses ${dataFolder} and does not stop.`,
  );
}
