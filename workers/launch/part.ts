import path from "node:path";
import { migrate } from "@/prisma/migrate";
import { buildConsole } from "./build";
import { startChild } from "./child";
import { consoleLogin } from "./console-login";
import { ensureDatabase, siblingOf } from "./databases";
import { type Part, partArguments, partEnvironment, webUrl } from "./parts";
import { freePort } from "./ports";
import { projectRoot } from "./root";
import { isRunning, readRun } from "./run-record";
import { demoSecrets } from "./secrets";

/**
 * `npm run web`, `worker` or `sandbox`: one part in the foreground. It joins the run of this folder when one
 * is up, otherwise it takes `DATABASE_URL`.
 */

const DATA_FOLDER = path.join(projectRoot, ".data");
const PARTS: readonly string[] = ["web", "worker", "sandbox"] satisfies Part[];

const PORT_VARIABLES = {
  web: "PORT",
  worker: "WORKER_PORT",
  sandbox: "SANDBOX_PORT",
} as const satisfies Record<Part, string>;

const say = (line: string) => void process.stdout.write(`${line}\n`);

async function surroundings(): Promise<Record<string, string>> {
  const run = readRun(DATA_FOLDER);
  const databaseUrl = process.env.DATABASE_URL;
  if (!databaseUrl && run && isRunning(run.launcher)) return run.env;
  if (!databaseUrl) {
    throw new Error("Set DATABASE_URL, or run npm start first: nothing is up in this folder.");
  }
  const sandboxDatabaseUrl = process.env.SANDBOX_DATABASE_URL ?? siblingOf(databaseUrl, "_sandbox");
  const secrets = demoSecrets(DATA_FOLDER);
  await ensureDatabase(databaseUrl);
  await migrate(databaseUrl);
  return partEnvironment({
    databaseUrl,
    consoleDatabaseUrl: await consoleLogin(databaseUrl, secrets.nextAuthSecret),
    sandboxDatabaseUrl,
    webPort: Number(process.env.PORT ?? 3000),
    sandboxPort: Number(process.env.SANDBOX_PORT ?? 3010),
    ...secrets,
  });
}

async function runPart(part: Part): Promise<number> {
  const around = await surroundings();
  const variable = PORT_VARIABLES[part];
  const wanted = Number(process.env[variable] ?? around[variable]);
  const port = await freePort(wanted);
  if (port !== wanted && wanted !== 0) say(`Port ${wanted} is taken: the ${part} uses ${port}.`);
  if (part === "web") await buildConsole((line) => say(`  ${line}`));
  if (part === "sandbox") await ensureDatabase(around.SANDBOX_DATABASE_URL ?? "");
  const own = part === "web" ? { PORT: String(port), NEXTAUTH_URL: webUrl(port) } : {};
  const env = { ...process.env, ...around, ...own, [variable]: String(port) };
  if (part === "worker") say(`Metrics: http://127.0.0.1:${port}/metrics`);
  const args = partArguments(part, port);
  const child = startChild({
    name: part,
    command: process.execPath,
    args,
    cwd: projectRoot,
    env,
    onLine: say,
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => void child.stop());
  }
  const { code, signal } = await child.exited;
  return code ?? (signal === "SIGTERM" ? 0 : 1);
}

const part = process.argv[2] ?? "";
if (!PARTS.includes(part)) throw new Error(`Say which part: ${PARTS.join(", ")}.`);
process.exitCode = await runPart(part as Part);
