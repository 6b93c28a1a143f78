import { rmSync } from "node:fs";
import path from "node:path";
import { Client } from "pg";
import { type PostgresOptions, type RunningPostgres, startPostgres } from "./embedded-postgres";
import { freePort } from "./ports";
import { postgresBinaries } from "./postgres-binaries";
import { restartBudget } from "./restart-budget";
import { projectRoot } from "./root";
import { stopStalePostgres } from "./stale-postgres";

export interface Databases {
  ledgerUrl: string;
  sandboxUrl: string;
  /** Stops the server, unless it belongs to somebody else. */
  stop(): Promise<void>;
}

export interface DatabaseOptions {
  dataFolder: string;
  password: string;
  /** The password was made just now, so no older data can be opened with it. */
  passwordIsNew: boolean;
  port: number;
  say: (line: string) => void;
  /** Called once when the embedded server cannot be kept alive. */
  onGivingUp: (reason: Error) => void;
}

/** The two databases on the server of `DATABASE_URL`, or on an embedded one in the data folder (OP-3). */
export async function openDatabases(options: DatabaseOptions): Promise<Databases> {
  const external = process.env.DATABASE_URL;
  if (external) {
    const sandboxUrl = process.env.SANDBOX_DATABASE_URL ?? siblingOf(external, "_sandbox");
    for (const url of [external, sandboxUrl]) await ensureDatabase(url);
    options.say(`Using the PostgreSQL server of DATABASE_URL at ${new URL(external).host}.`);
    return { ledgerUrl: external, sandboxUrl, stop: async () => undefined };
  }
  const postgres = await startEmbedded(options);
  const ledgerUrl = postgres.url("deadline_ledger");
  const sandboxUrl = process.env.SANDBOX_DATABASE_URL ?? postgres.url("sandbox");
  for (const url of [ledgerUrl, sandboxUrl]) await ensureDatabase(url);
  return { ledgerUrl, sandboxUrl, stop: postgres.stop };
}

async function startEmbedded(options: DatabaseOptions): Promise<KeptPostgres> {
  const binaries = postgresBinaries(projectRoot);
  const dataFolder = path.join(binaries.outside ?? options.dataFolder, "postgres");
  if (binaries.outside) {
    options.say(
      `PostgreSQL refuses to run as root, and the user ${binaries.account?.name} cannot reach ` +
        `${projectRoot}: its programs and data are in ${binaries.outside}.`,
    );
    // Whoever deleted .data to begin anew cannot have known about the folder outside.
    if (options.passwordIsNew) await removeOld(dataFolder);
  }
  const port = await freePort(options.port);
  const { password } = options;
  const kept = await keepRunning({ binaries, dataFolder, port, anyPort: true, password }, options);
  if (kept.port !== options.port) {
    options.say(`Port ${options.port} is taken: PostgreSQL uses ${kept.port}.`);
  }
  return kept;
}

async function removeOld(dataFolder: string): Promise<void> {
  await stopStalePostgres(dataFolder);
  rmSync(dataFolder, { recursive: true, force: true });
}

type KeptPostgres = Pick<RunningPostgres, "port" | "url" | "stop">;

/** A server that dies is started again on the same port: the parts reconnect by themselves. */
async function keepRunning(
  postgres: PostgresOptions,
  { say, onGivingUp }: DatabaseOptions,
): Promise<KeptPostgres> {
  const mayRestart = restartBudget();
  let stopping = false;
  let current = await startPostgres(postgres);
  const { port, url } = current;
  const watch = async (): Promise<void> => {
    const output = await current.exited;
    if (stopping) return;
    say("PostgreSQL ended unexpectedly; starting it again.");
    if (!mayRestart()) throw new Error(`PostgreSQL does not stay up:\n${output}`);
    current = await startPostgres({ ...postgres, port, anyPort: false });
    if (stopping) await current.stop();
    else await watch();
  };
  watch().catch(onGivingUp);
  return {
    port,
    url,
    stop: async () => {
      stopping = true;
      await current.stop();
    },
  };
}

/** Creates the database when the server does not have it; throws when the server cannot be reached. */
export async function ensureDatabase(url: string): Promise<void> {
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  try {
    await withClient(url, async () => undefined);
  } catch (error) {
    if ((error as { code?: string }).code !== "3D000") throw unreachable(url, error);
    await withClient(inDatabase(url, "postgres"), async (client) => {
      await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
    });
  }
}

/** Says which server, never with which password. */
function unreachable(url: string, error: unknown): Error {
  const { host, pathname } = new URL(url);
  const reason = error instanceof AggregateError ? "no answer" : (error as Error).message;
  return new Error(`The database ${host}${pathname} cannot be opened: ${reason}`, { cause: error });
}

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** The address of a database with a name derived from that of another, on the same server. */
export function siblingOf(url: string, ending: string): string {
  return inDatabase(url, decodeURIComponent(new URL(url).pathname.slice(1)) + ending);
}

function inDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${encodeURIComponent(name)}`;
  return other.toString();
}
