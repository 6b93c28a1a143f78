import path from "node:path";
import { parseArgs } from "node:util";
import { Refusal } from "@/lib/domain/refusal";
import {
  type AllPreview,
  askResumeAll,
  operatorName,
  pauseAll,
  resumeAll,
} from "@/lib/flows/pause-all";
import { installationContext, vaultKeyIn } from "@/lib/runtime/installation";
import { projectRoot } from "./root";
import { isRunning, readRun } from "./run-record";

/**
 * `npm run pause-all` and `npm run resume-all`: the switch over all tenants, which no member of a tenant may throw.
 * It joins the run of this folder, or takes `DATABASE_URL` and `DEADLINE_LEDGER_VAULT_KEY`.
 */
const USAGE = `npm run pause-all -- --operator NAME --reason TEXT
npm run resume-all -- --operator NAME                  asks, and shows what would happen
npm run resume-all -- --operator OTHER --confirm HASH  opens it, by somebody else`;

const say = (line: string) => void process.stdout.write(`${line}\n`);

function surroundings(): { databaseUrl: string; vaultKey: Buffer } {
  const run = readRun(path.join(projectRoot, ".data"));
  const around =
    !process.env.DATABASE_URL && run && isRunning(run.launcher) ? run.env : process.env;
  const { DATABASE_URL: databaseUrl } = around;
  const vaultKey = vaultKeyIn(around);
  if (!databaseUrl || vaultKey === null) {
    throw new Error("Set DATABASE_URL and DEADLINE_LEDGER_VAULT_KEY, or run npm start first.");
  }
  return { databaseUrl, vaultKey };
}

function show({ seal, groups }: AllPreview): void {
  for (const [group, count] of Object.entries(groups)) say(`${group.padEnd(18)} ${count}`);
  say(`${seal.count} operations, preview ${seal.hash}`);
}

async function act(command: string, { operator, reason, confirm }: Given): Promise<void> {
  const { databaseUrl, vaultKey } = surroundings();
  const by = operatorName(operator ?? "");
  const installation = installationContext(databaseUrl, vaultKey);
  try {
    if (command === "pause") {
      const thrown = await pauseAll(installation, by, reason ?? "");
      say(
        thrown ? "Paused: everything. No new operation starts." : "Everything is paused already.",
      );
    } else if (confirm === undefined) {
      show(await askResumeAll(installation, by));
      say("Asked. Another operator opens it with --confirm and that preview.");
    } else {
      show(await resumeAll(installation, by, confirm));
      say("Running again, a few per minute at first.");
    }
  } finally {
    await installation.close();
  }
}

interface Given {
  readonly operator?: string | undefined;
  readonly reason?: string | undefined;
  readonly confirm?: string | undefined;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    operator: { type: "string" },
    reason: { type: "string" },
    confirm: { type: "string" },
  },
});
const [command = ""] = positionals;
if ((command !== "pause" && command !== "resume") || values.operator === undefined) {
  say(USAGE);
  process.exitCode = 2;
} else {
  try {
    await act(command, values);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}
