import { Client } from "pg";
import { expect, test } from "vitest";
import { emptyDatabase, testDatabase } from "./database";

async function tablesOf(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const sql = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'";
  const { rows } = await client.query<{ tablename: string }>(sql);
  await client.end();
  return rows.map((row) => row.tablename);
}

test("a test database holds the migrated schema, an empty one holds nothing", async () => {
  const [migrated, empty] = await Promise.all([testDatabase(), emptyDatabase()]);
  expect(await tablesOf(migrated.url)).toContain("_prisma_migrations");
  expect(await tablesOf(empty.url)).toEqual([]);
  await Promise.all([migrated.close(), empty.close()]);
});

test("two test databases do not see each other's rows", async () => {
  const [one, other] = await Promise.all([testDatabase(), testDatabase()]);
  const client = new Client({ connectionString: one.url });
  await client.connect();
  await client.query("CREATE TABLE only_here ()");
  await client.end();
  expect(await tablesOf(other.url)).not.toContain("only_here");
  await Promise.all([one.close(), other.close()]);
});
