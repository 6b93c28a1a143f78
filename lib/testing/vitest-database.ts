import type { TestProject } from "vitest/node";
import { type DatabaseServer, type RunningServer, startDatabaseServer } from "./database-server";

declare module "vitest" {
  export interface ProvidedContext {
    databaseServer: DatabaseServer;
  }
}

/** Kept on globalThis because vitest evaluates this module once for every project. */
const kept = globalThis as { deadlineTests?: { server: Promise<RunningServer>; users: number } };

/** One server for the whole run of vitest; every test file clones its own databases on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  kept.deadlineTests ??= { server: startDatabaseServer(), users: 0 };
  const shared = kept.deadlineTests;
  shared.users += 1;
  const { close, ...server } = await shared.server;
  project.provide("databaseServer", server);
  return async () => {
    shared.users -= 1;
    if (shared.users === 0) await close();
  };
}
