import { startDatabaseServer } from "@/lib/testing/database-server";
import { startSystem } from "@/lib/testing/system";
import { buildConsole } from "@/workers/launch/build";

/** Builds the console if need be and starts the real processes once for all browser tests. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  await buildConsole((line) => process.stdout.write(`  ${line}\n`));
  const server = await startDatabaseServer();
  try {
    const { children, close, ...system } = await startSystem(server);
    process.env.E2E_SYSTEM = JSON.stringify(system);
    process.env.E2E_URL = system.url;
    return async () => {
      await close();
      await server.close();
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}
