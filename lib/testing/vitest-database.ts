import type { TestProject } from "vitest/node";
import { type DatabaseServer, startDatabaseServer } from "./database-server";

declare module "vitest" {
  export interface ProvidedContext {
    databaseServer: DatabaseServer;
  }
}

/** One server for the whole run of vitest; every test file clones its own databases on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { adminUrl, template, close } = await startDatabaseServer();
  project.provide("databaseServer", { adminUrl, template });
  return close;
}
