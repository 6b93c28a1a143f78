import { execFile, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { type FloorStatements, floorStatements, PARTS_MAX } from "./floor-statements";
import type { Load } from "./full-path";

/** Whether pgbench is installed: `\startpipeline` came with 14, and nothing here needs more than 11. */
export function hasPgbench(): boolean {
  return spawnSync("pgbench", ["--version"]).status === 0;
}

/** Drives the ledger's statements with pgbench, one client per worker. Operations per second. */
export async function runPgbench(url: string, load: Load): Promise<number> {
  const statements = await floorStatements({ id: randomUUID(), name: "bench-floor" }, load.batch);
  const folder = mkdtempSync(path.join(tmpdir(), "deadline-ledger-pgbench-"));
  try {
    const script = path.join(folder, "full-path.sql");
    writeFileSync(script, scriptOf(statements));
    const variables = Object.values(statements).flatMap(({ fixed }) => Object.entries(fixed));
    const { stdout } = await promisify(execFile)(
      "pgbench",
      [
        ...["--no-vacuum", "--protocol=prepared", `--file=${script}`],
        ...[`--client=${load.workers}`, `--jobs=${load.workers}`, `--transactions=${load.cycles}`],
        ...variables.map(([name, value]) => `--define=${name}=${value}`),
      ],
      { cwd: folder, env: { ...process.env, ...addressOf(url) } },
    );
    const perSecond = /^tps = ([\d.]+) \(without initial connection time\)/m.exec(stdout)?.[1];
    if (!perSecond || !/number of failed transactions: 0 /.test(stdout)) {
      throw new Error(`pgbench did not finish its transactions:\n${stdout}`);
    }
    return Number(perSecond) * load.batch;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In the environment, so that no password stands in the list of processes. */
function addressOf(url: string): Record<string, string> {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    PGHOST: hostname,
    PGPORT: port || "5432",
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
  };
}

/** One cycle: the claim, then for each tenant in it the intents and the outcomes, each in a transaction of its own. */
function scriptOf({ claim, enter, intents, outcomes }: FloorStatements): string {
  const lines = [`${oneLine(claim.text)} \\gset`];
  for (let part = 0; part < PARTS_MAX; part += 1) {
    const own = (text: string) =>
      oneLine(text).replace(/:(tenant|held|outcomes)\b/g, `:$1_${part}`);
    lines.push(`\\if :parts > ${part}`);
    for (const step of [intents, outcomes]) {
      lines.push("BEGIN;", `${own(enter.text)};`, `${own(step.text)};`, "COMMIT;");
    }
    lines.push("\\endif");
  }
  return `${lines.join("\n")}\n`;
}

function oneLine(sql: string): string {
  return sql.replace(/\s+/g, " ").trim();
}
