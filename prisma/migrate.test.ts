import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { emptyDatabase } from "@/lib/testing/database";
import { migrate } from "./migrate";

let folder: string;
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let client: Client;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "deadline-ledger-migrations-"));
  database = await emptyDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});

afterEach(async () => {
  await client.end();
  await database.close();
  await rm(folder, { recursive: true });
});

async function add(name: string, sql: string): Promise<void> {
  await mkdir(path.join(folder, name), { recursive: true });
  await writeFile(path.join(folder, name, "migration.sql"), sql);
}

async function tables(): Promise<string[]> {
  const sql = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1";
  const { rows } = await client.query<{ tablename: string }>(sql);
  return rows.map((row) => row.tablename).filter((name) => name !== "_prisma_migrations");
}

test("migrations apply in the order of their names and once each", async () => {
  await add("0002_more", "ALTER TABLE first ADD COLUMN more int;");
  await add("0001_first", "CREATE TABLE first (id int);");
  expect(await migrate(database.url, folder)).toEqual(["0001_first", "0002_more"]);
  expect(await migrate(database.url, folder)).toEqual([]);
});

test("the table is Prisma's: finished rows whose checksum is the SHA-256 of the file", async () => {
  const sql = "CREATE TABLE first (id int);";
  await add("0001_first", sql);
  await migrate(database.url, folder);
  const { rows } = await client.query("SELECT * FROM _prisma_migrations");
  expect(rows).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      checksum: createHash("sha256").update(sql).digest("hex"),
      migration_name: "0001_first",
      started_at: expect.any(Date),
      finished_at: expect.any(Date),
      rolled_back_at: null,
      logs: null,
      applied_steps_count: 1,
    },
  ]);
});

test("of several starters at once one applies each migration and the others wait", async () => {
  await add("0001_first", "CREATE TABLE first (id int); SELECT pg_sleep(0.2);");
  await add("0002_second", "CREATE TABLE second (id int);");
  const starters = [1, 2, 3, 4].map(() => migrate(database.url, folder));
  const applied = (await Promise.all(starters)).flat();
  expect(applied.sort()).toEqual(["0001_first", "0002_second"]);
});

test("a migration that fails leaves nothing behind and can be applied once it is repaired", async () => {
  await add("0001_first", "CREATE TABLE first (id int);");
  await add("0002_broken", "CREATE TABLE half (id int); SELECT 1 / 0;");
  await expect(migrate(database.url, folder)).rejects.toThrow(/0002_broken failed and was undone/);
  expect(await tables()).toEqual(["first"]);
  await add("0002_broken", "CREATE TABLE whole (id int);");
  expect(await migrate(database.url, folder)).toEqual(["0002_broken"]);
});

test("a migration that another tool left half-way stops the start and is named", async () => {
  await add("0001_first", "CREATE TABLE first (id int);");
  await migrate(database.url, folder);
  await client.query("UPDATE _prisma_migrations SET finished_at = NULL");
  await expect(migrate(database.url, folder)).rejects.toThrow(/0001_first was started and never/);
});

test("a migration that was edited after it was applied is refused", async () => {
  await add("0001_first", "CREATE TABLE first (id int);");
  await migrate(database.url, folder);
  await add("0001_first", "CREATE TABLE first (id bigint);");
  await expect(migrate(database.url, folder)).rejects.toThrow(/0001_first was changed/);
});
