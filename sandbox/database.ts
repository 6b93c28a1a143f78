import { readFile } from "node:fs/promises";
import { Pool, type PoolClient } from "pg";

export type Database = Pool;
export type Transaction = PoolClient;

/** Any number will do as long as every starter takes the same one. */
const SCHEMA_LOCK = 7_301_501;

/** Opens the sandbox's own database and brings its tables into being; two starters at once wait in line. */
export async function openDatabase(databaseUrl: string): Promise<Database> {
  const database = new Pool({ connectionString: databaseUrl, max: 10 });
  // An idle connection that breaks is replaced by the pool; without a listener the process would end.
  database.on("error", () => undefined);
  const schema = await readFile(new URL("./schema.sql", import.meta.url), "utf8");
  try {
    await inTransaction(database, async (tx) => {
      await tx.query("SELECT pg_advisory_xact_lock($1)", [SCHEMA_LOCK]);
      await tx.query(schema);
    });
  } catch (error) {
    await database.end();
    throw error;
  }
  return database;
}

/** Runs `work` in one transaction: all of it or none of it. */
export async function inTransaction<Result>(
  database: Database,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const tx = await database.connect();
  let broken = false;
  try {
    await tx.query("BEGIN");
    const result = await work(tx);
    await tx.query("COMMIT");
    return result;
  } catch (error) {
    await tx.query("ROLLBACK").catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    tx.release(broken);
  }
}
