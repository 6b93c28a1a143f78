import path from "node:path";
import { parseArgs } from "node:util";
import type { HistoryFinding } from "@/lib/domain/history-finding";
import { verifyAll } from "@/lib/flows/verify-all";
import { historyDatabase } from "@/lib/runtime/proof";
import { projectRoot } from "./root";
import { isRunning, readRun } from "./run-record";

/**
 * `npm run verify [-- --tenant SLUG]`: checks the history of a database and writes nothing. It joins the run of this
 * folder, or takes `DATABASE_URL`, which may be a restored dump. Ends with 0 when all fits, 1 when anything does not.
 */

const say = (line: string) => void process.stdout.write(`${line}\n`);

function databaseUrl(): string {
  const given = process.env.DATABASE_URL;
  if (given) return given;
  const run = readRun(path.join(projectRoot, ".data"));
  const url = run && isRunning(run.launcher) ? run.env.DATABASE_URL : undefined;
  if (!url) throw new Error("Set DATABASE_URL, or run npm start first.");
  return url;
}

function show(tenant: string, finding: HistoryFinding): void {
  const { opId, entry, sealSeq, fault, detail, expected, found } = finding;
  const about = [
    opId === null ? null : `operation ${opId}`,
    entry === null ? null : `entry ${entry}`,
    sealSeq === null ? null : `seal ${sealSeq}`,
  ].filter((part) => part !== null);
  const shown = expected === null ? "" : ` (expected ${expected}, found ${found ?? "nothing"})`;
  say(`${fault.toUpperCase()}: ${tenant}, ${about.join(", ")}: ${detail}${shown}`);
}

const { values } = parseArgs({ options: { tenant: { type: "string" } } });
const database = historyDatabase(databaseUrl());
try {
  const report = await verifyAll(database.owner, values.tenant ?? null, show);
  if (report === null) {
    say("There is no such tenant.");
    process.exitCode = 2;
  } else {
    const { tenants, chains, entries, seals, findings } = report;
    say(`${tenants} tenants, ${chains} chains, ${entries} entries, ${seals} seals.`);
    say(findings === 0 ? "All fits." : `${findings} findings. Do not repair anything.`);
    process.exitCode = findings === 0 ? 0 : 1;
  }
} finally {
  await database.close();
}
