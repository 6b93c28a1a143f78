import path from "node:path";
import { parseArgs } from "node:util";
import { operatorName } from "@/lib/flows/pause-all";
import { rotateVaultKey } from "@/lib/flows/rotate-vault-key";
import { installationContext, vaultKeyIn } from "@/lib/runtime/installation";
import { projectRoot } from "./root";
import { isRunning, readRun } from "./run-record";
import { forgetOldVaultKeys, replaceVaultKey } from "./secrets";

/**
 * `npm run rotate-vault-key`: seals everything anew with the vault key in use. It joins the run of this folder, or takes
 * `DATABASE_URL`, `DEADLINE_LEDGER_VAULT_KEY` and `DEADLINE_LEDGER_OLD_VAULT_KEYS`. Ends with 0 when nothing needs an
 * older key any more, 1 when it was refused.
 */
const USAGE = `npm run rotate-vault-key -- --operator NAME   seals everything anew with the key in use
npm run rotate-vault-key -- --new-key         gives the demo of this folder a new key for its next start
npm run rotate-vault-key -- --forget-old      lets the demo of this folder forget the keys before it`;

const DATA_FOLDER = path.join(projectRoot, ".data");
const say = (line: string) => void process.stdout.write(`${line}\n`);

function surroundings(): { databaseUrl: string; vaultKey: Buffer } {
  const run = readRun(DATA_FOLDER);
  const joins = !process.env.DATABASE_URL && run && isRunning(run.launcher);
  const around: Readonly<Record<string, string | undefined>> = joins ? run.env : process.env;
  const { DATABASE_URL: databaseUrl } = around;
  const vaultKey = vaultKeyIn(around);
  if (!databaseUrl || vaultKey === null) {
    throw new Error("Set DATABASE_URL and DEADLINE_LEDGER_VAULT_KEY, or run npm start first.");
  }
  return { databaseUrl, vaultKey };
}

async function rotate(operator: string): Promise<number> {
  const by = operatorName(operator);
  const { databaseUrl, vaultKey } = surroundings();
  const installation = installationContext(databaseUrl, vaultKey);
  try {
    const rotated = await rotateVaultKey(installation, by);
    if (rotated.kind === "refused") {
      for (const { table, column, keyId, count } of rotated.unknown) {
        say(`${count} values of ${table}.${column} are sealed by the key ${keyId}.`);
      }
      say("Nothing was changed. Put that key into DEADLINE_LEDGER_OLD_VAULT_KEYS and try again.");
      return 1;
    }
    for (const [table, count] of Object.entries(rotated.resealed)) {
      if (count > 0) say(`${table.padEnd(20)} ${count}`);
    }
    say("All is sealed by the key in use. No process needs an older one any more.");
    return 0;
  } finally {
    await installation.close();
  }
}

const { values } = parseArgs({
  options: {
    operator: { type: "string" },
    "new-key": { type: "boolean" },
    "forget-old": { type: "boolean" },
  },
});
if (values["new-key"]) {
  replaceVaultKey(DATA_FOLDER);
  say("The next npm start uses a new key. Then run this command with --operator.");
} else if (values["forget-old"]) {
  forgetOldVaultKeys(DATA_FOLDER);
  say("The next npm start knows only the key in use.");
} else if (values.operator === undefined) {
  say(USAGE);
  process.exitCode = 2;
} else {
  process.exitCode = await rotate(values.operator);
}
