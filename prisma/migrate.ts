import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Client } from "pg";

const FOLDER = fileURLToPath(new URL("./migrations/", import.meta.url));
/** The lock that `prisma migrate deploy` takes, so that it and we wait for each other. */
const LOCK = 72_707_369;

export interface MigrationFile {
  name: string;
  sql: string;
  checksum: string;
}

/** The migrations of a folder in the order in which they apply, in Prisma's layout. */
export function migrationFiles(folder = FOLDER): MigrationFile[] {
  const names = readdirSync(folder).sort();
  return names.flatMap((name) => {
    const file = `${folder}/${name}/migration.sql`;
    if (!existsSync(file)) return [];
    const sql = readFileSync(file, "utf8");
    return [{ name, sql, checksum: createHash("sha256").update(sql).digest("hex") }];
  });
}

/**
 * Brings a database up to date and returns the names of what was applied. Keeps Prisma's table, so that
 * `prisma migrate deploy` can go on from here. Each migration is one transaction: after a failure the
 * database is as before it. Throws on a migration that another tool left half-way, or that was edited later.
 */
export async function migrate(databaseUrl: string, folder = FOLDER): Promise<string[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [LOCK]);
    await client.query(CREATE_TABLE);
    const known = await knownChecksums(client);
    const due = migrationFiles(folder).filter((file) => isDue(file, known.get(file.name)));
    for (const file of due) await apply(client, file);
    return due.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

async function knownChecksums(client: Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string; finished: boolean }>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  const half = rows.find((row) => !row.finished);
  if (half) {
    throw new Error(
      `Migration ${half.name} was started and never finished. Look at what it left, repair it, then delete ` +
        "its row from _prisma_migrations (to apply it again) or set finished_at (to keep it).",
    );
  }
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

function isDue(file: MigrationFile, applied: string | undefined): boolean {
  if (applied !== undefined && applied !== file.checksum) {
    throw new Error(
      `Migration ${file.name} was changed after it was applied. Add a new one instead.`,
    );
  }
  return applied === undefined;
}

async function apply(client: Client, { name, sql, checksum }: MigrationFile): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query(INSERT_ROW, [randomUUID(), checksum, name]);
    await client.query(sql);
    await client.query(FINISH_ROW, [name]);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw new Error(`Migration ${name} failed and was undone: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

const INSERT_ROW = `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)`;

const FINISH_ROW = `UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1
  WHERE migration_name = $1 AND rolled_back_at IS NULL`;

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz,
  migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
  started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0
)`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const databaseUrl = process.env.DATABASE_URL;
  if (!databaseUrl) throw new Error("Set DATABASE_URL to the database that should be migrated.");
  const applied = await migrate(databaseUrl);
  process.stdout.write(
    applied.length > 0 ? `Applied ${applied.join(", ")}.\n` : "Nothing to apply.\n",
  );
}
