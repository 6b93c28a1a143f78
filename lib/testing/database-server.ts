import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "pg";
import { migrate, migrationFiles } from "@/prisma/migrate";
import { startPostgres } from "@/workers/launch/embedded-postgres";
import { freePort } from "@/workers/launch/ports";
import { postgresBinaries } from "@/workers/launch/postgres-binaries";
import { projectRoot } from "@/workers/launch/root";

export interface DatabaseServer {
  /** Address of the maintenance database, as a role that may create databases. */
  adminUrl: string;
  /** A database with every migration applied, to clone. */
  template: string;
  /**
   * How a database is copied. As files it takes a third of the time, but the server writes a checkpoint for it: only
   * for one that need not reach the disk.
   */
  copies: "FILE_COPY" | "WAL_LOG";
}

export interface TestDatabase {
  url: string;
  close(): Promise<void>;
}

export type RunningServer = DatabaseServer & { close(): Promise<void> };

/**
 * A server for tests with a migrated template: the one of `TEST_DATABASE_URL` or `DATABASE_URL` when set,
 * otherwise an embedded one that lives in the folder for temporary files and goes away on `close` or with
 * this process. `fsync` is off unless asked for, since a test database need not survive a power cut.
 */
export async function startDatabaseServer(
  options: { fsync?: boolean; settings?: Record<string, string> } = {},
): Promise<RunningServer> {
  const external = process.env.TEST_DATABASE_URL ?? process.env.DATABASE_URL;
  if (external) {
    return { ...(await withTemplate(external, "WAL_LOG")), close: async () => undefined };
  }
  const folder = mkdtempSync(path.join(tmpdir(), "deadline-ledger-"));
  const running = await startPostgres({
    binaries: postgresBinaries(projectRoot),
    dataFolder: path.join(folder, "data"),
    port: await freePort(),
    anyPort: true,
    password: randomBytes(12).toString("hex"),
    settings: { ...(options.fsync ? {} : NOT_DURABLE), ...options.settings },
    disposable: folder,
  });
  const copies = options.fsync ? "WAL_LOG" : "FILE_COPY";
  return { ...(await withTemplate(running.url("postgres"), copies)), close: running.stop };
}

const NOT_DURABLE = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

/** Clones the template; two clones never see each other. Takes a few tenths of a second. */
export function cloneDatabase(server: DatabaseServer): Promise<TestDatabase> {
  return createDatabase(server, `TEMPLATE "${server.template}"`);
}

/** A database without any table. */
export function blankDatabase(server: DatabaseServer): Promise<TestDatabase> {
  return createDatabase(server, "TEMPLATE template0");
}

async function createDatabase(server: DatabaseServer, how: string): Promise<TestDatabase> {
  const name = `dl_test_${randomBytes(6).toString("hex")}`;
  await asAdmin(server.adminUrl, (client) =>
    client.query(`CREATE DATABASE "${name}" ${how} STRATEGY ${server.copies}`),
  );
  const close = async () => {
    await asAdmin(server.adminUrl, (client) =>
      client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`),
    );
  };
  return { url: databaseUrl(server.adminUrl, name), close };
}

/** The template carries the hash of the migrations in its name: changed migrations never meet an old one. */
async function withTemplate(
  adminUrl: string,
  copies: DatabaseServer["copies"],
): Promise<DatabaseServer> {
  const checksums = migrationFiles().map(({ name, checksum }) => `${name} ${checksum}`);
  const hash = createHash("sha256").update(checksums.join("\n")).digest("hex").slice(0, 16);
  const template = `dl_template_${hash}`;
  await asAdmin(adminUrl, async (client) => {
    await client.query("SELECT pg_advisory_lock(hashtext($1))", [template]);
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [
      template,
    ]);
    if (rowCount) return;
    // The final name appears only when every migration is in, so a half-built template is never cloned.
    const half = `${template}_half`;
    await client.query(`DROP DATABASE IF EXISTS "${half}" WITH (FORCE)`);
    await client.query(`CREATE DATABASE "${half}" TEMPLATE template0`);
    await migrate(databaseUrl(adminUrl, half));
    await client.query(`ALTER DATABASE "${half}" RENAME TO "${template}"`);
  });
  return { adminUrl, template, copies };
}

function databaseUrl(adminUrl: string, database: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url.toString();
}

async function asAdmin(
  adminUrl: string,
  work: (client: Client) => Promise<unknown>,
): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
