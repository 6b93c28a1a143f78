import { mkdirSync } from "node:fs";
import path from "node:path";
import { migrate } from "@/prisma/migrate";
import { buildConsole } from "./build";
import { consoleLogin } from "./console-login";
import { type Databases, openDatabases } from "./databases";
import { demoAuthority } from "./demo-authority";
import { type Part, partEnvironment, webUrl } from "./parts";
import { freePort } from "./ports";
import { projectRoot } from "./root";
import { beginRun, endRun, identify, type RunRecord, updateRun } from "./run-record";
import { demoSecrets } from "./secrets";
import { seedDemo } from "./seed";
import { type Supervisor, supervise } from "./supervise";

/** `npm start`: brings up everything on this machine and keeps it up until it is told to stop (OP-3). */

const DATA_FOLDER = path.join(projectRoot, ".data");
const PREFERRED = {
  web: Number(process.env.PORT ?? 3000),
  sandbox: 3010,
  mail: 3025,
  worker: Number(process.env.WORKER_PORT ?? 3020),
  postgres: 54_320,
};

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** What has been brought up so far, to be taken down in reverse. */
const up: { databases?: Databases; supervisor?: Supervisor; recorded?: boolean } = {};
let ending: Promise<void> | null = null;
/** Settles when starting is over, well or not; what is half up by then can be taken down. */
let starting: Promise<unknown> = Promise.resolve();
/** Who stops us while we start waits no longer than this for the step under way. */
const HURRY_MS = 5_000;

async function start(): Promise<void> {
  mkdirSync(DATA_FOLDER, { recursive: true });
  const record: RunRecord = {
    launcher: identify("launcher", process.pid),
    url: null,
    env: {},
    children: [],
  };
  await beginRun(DATA_FOLDER, record);
  up.recorded = true;
  const secrets = demoSecrets(DATA_FOLDER);
  announce("Starting the database ...");
  up.databases = await openDatabases({
    dataFolder: DATA_FOLDER,
    password: secrets.databasePassword,
    passwordIsNew: secrets.isNew,
    port: PREFERRED.postgres,
    say,
    onGivingUp: (reason) => void end(1, reason),
  });
  const applied = await migrate(up.databases.ledgerUrl);
  say(applied.length > 0 ? `Applied ${applied.join(", ")}.` : "The schema is up to date.");
  await build();
  const ports = await choosePorts();
  record.url = webUrl(ports.web);
  record.env = partEnvironment({
    databaseUrl: up.databases.ledgerUrl,
    consoleDatabaseUrl: await consoleLogin(up.databases.ledgerUrl, secrets.nextAuthSecret),
    sandboxDatabaseUrl: up.databases.sandboxUrl,
    webPort: ports.web,
    sandboxPort: ports.sandbox,
    mailPort: ports.mail,
    workerPort: ports.worker,
    vaultKey: secrets.vaultKey,
    oldVaultKeys: secrets.oldVaultKeys,
    nextAuthSecret: secrets.nextAuthSecret,
  });
  await startParts(record, ports);
}

/** Begins a step; none begins once we are stopping. */
function announce(step: string): void {
  if (ending !== null) throw new Error("Stopped while starting.");
  say(step);
}

async function build(): Promise<void> {
  announce("Building the console (about a minute the first time) ...");
  const built = await buildConsole((line) => say(`  ${line}`));
  if (!built) say("The console is built from these very sources already.");
}

interface Ports {
  readonly web: number;
  readonly sandbox: number;
  readonly mail: number;
  readonly worker: number;
}

async function choosePorts(): Promise<Ports> {
  const web = await freePort(PREFERRED.web);
  const sandbox = await freePort(PREFERRED.sandbox);
  if (web !== PREFERRED.web) say(`Port ${PREFERRED.web} is taken: the console uses ${web}.`);
  if (sandbox !== PREFERRED.sandbox) {
    say(`Port ${PREFERRED.sandbox} is taken: the sandbox platform uses ${sandbox}.`);
  }
  const [worker, mail] = [await freePort(PREFERRED.worker), await freePort(PREFERRED.mail)];
  return { web, sandbox, worker, mail };
}

async function startParts(record: RunRecord, ports: Ports): Promise<void> {
  const supervisor = supervise({
    env: record.env,
    webPort: ports.web,
    sandboxPort: ports.sandbox,
    logFolder: path.join(DATA_FOLDER, "logs"),
    say,
    onChange: (children) => {
      record.children = children.map(({ name, pid }) => identify(name, pid));
      updateRun(DATA_FOLDER, record);
    },
    onGivingUp: (reason) => void end(1, reason),
  });
  up.supervisor = supervisor;
  announce("Starting the sandbox platform ...");
  await supervisor.start("sandbox");
  const accounts = await seedDemo(record.env);
  // The parts that start from here on are told; the run's record tells those that join.
  Object.assign(record.env, await demoAuthority(record.env.SANDBOX_URL ?? "", DATA_FOLDER));
  for (const part of ["worker", "web"] satisfies Part[]) {
    announce(`Starting the ${part} ...`);
    await supervisor.start(part);
  }
  say(["", `Deadline Ledger runs at ${record.url}`, "", ...accounts, ""].join("\n"));
  if (record.env.SANDBOX_MAIL_PORT !== undefined) {
    say(`Mails are caught at http://127.0.0.1:${ports.sandbox}/mails and sent to nobody.`);
  }
  say(`Metrics: ${record.url}/metrics and http://127.0.0.1:${ports.worker}/metrics (worker).`);
  say(`Logs are in ${path.join(DATA_FOLDER, "logs")}. Ctrl-C stops everything.`);
}

/** Takes everything down once, whoever asks first, and ends this process. */
function end(code: number, reason?: unknown): Promise<void> {
  ending ??= (async () => {
    if (reason) process.stderr.write(`\n${reason instanceof Error ? reason.message : reason}\n`);
    else say("\nStopping ...");
    await Promise.race([starting, new Promise((resolve) => setTimeout(resolve, HURRY_MS))]);
    await up.supervisor?.stop();
    await up.databases?.stop();
    if (up.recorded) endRun(DATA_FOLDER);
    process.exit(code);
  })();
  return ending;
}

/** Whoever started us with npm and is gone cannot stop us any more, so we stop by ourselves. */
function endWithStarter(): void {
  const starter = process.ppid;
  if (!process.env.npm_lifecycle_event) return;
  setInterval(() => {
    if (process.ppid !== starter) void end(0);
  }, 500).unref();
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => void end(0));
}
// A terminal that is gone must not keep us from stopping in order.
process.stdout.on("error", () => undefined);
process.stderr.on("error", () => undefined);
endWithStarter();
starting = start().catch((error: unknown) => void end(1, error));
