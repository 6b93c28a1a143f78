import { inject } from "vitest";
import { blankDatabase, cloneDatabase, type TestDatabase } from "./database-server";

/** A fresh database with every migration applied, for one test or one file; close it at the end. */
export function testDatabase(): Promise<TestDatabase> {
  return cloneDatabase(inject("databaseServer"));
}

/** A fresh database without any table, for tests of the migrations themselves and of other schemas. */
export function emptyDatabase(): Promise<TestDatabase> {
  return blankDatabase(inject("databaseServer"));
}
