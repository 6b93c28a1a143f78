import path from "node:path";
import { Client } from "pg";
import { type RunningPostgres, startPostgres } from "./embedded-postgres";
import { freePort } from "./ports";
import { postgresBinaries } from "./postgres-binaries";
import { projectRoot } from "./root";

export interface Databases {
  ledgerUrl: string;
  sandboxUrl: string;
  /** Null when the server belongs to somebody else. */
  postgres: RunningPostgres | null;
}

export interface DatabaseOptions {
  dataFolder: string;
  password: string;
  port: number;
  say: (line: string) => void;
}

/** The two databases on the server of `DATABASE_URL`, or on an embedded one in the data folder (OP-3). */
export async function openDatabases(options: DatabaseOptions): Promise<Databases> {
  const external = process.env.DATABASE_URL;
  if (external) {
    const sandboxUrl = process.env.SANDBOX_DATABASE_URL ?? siblingOf(external, "_sandbox");
    for (const url of [external, sandboxUrl]) await ensureDatabase(url);
    options.say(`Using the PostgreSQL server of DATABASE_URL at ${new URL(external).host}.`);
    return { ledgerUrl: external, sandboxUrl, postgres: null };
  }
  const postgres = await startEmbedded(options);
  const ledgerUrl = postgres.url("deadline_ledger");
  const sandboxUrl = process.env.SANDBOX_DATABASE_URL ?? postgres.url("sandbox");
  for (const url of [ledgerUrl, sandboxUrl]) await ensureDatabase(url);
  return { ledgerUrl, sandboxUrl, postgres };
}

async function startEmbedded(options: DatabaseOptions): Promise<RunningPostgres> {
  const binaries = postgresBinaries(projectRoot);
  const dataFolder = path.join(binaries.outside ?? options.dataFolder, "postgres");
  if (binaries.outside) {
    options.say(
      `PostgreSQL refuses to run as root, and the user ${binaries.account?.name} cannot reach ` +
        `${projectRoot}: its programs and data are in ${binaries.outside}.`,
    );
  }
  const port = await freePort(options.port);
  if (port !== options.port) options.say(`Port ${options.port} is taken: PostgreSQL uses ${port}.`);
  return startPostgres({ binaries, dataFolder, port, password: options.password });
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
