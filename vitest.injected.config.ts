import { defineConfig } from "vitest/config";
import { injectedErrorPlugin } from "./lib/testing/injected-error-plugin.ts";
import { projectRoot } from "./workers/launch/root.ts";

/** The simulation alone, with the error that INJECTED_ERROR names made in the code; it has to fail. */
export default defineConfig({
  resolve: { alias: { "@": projectRoot } },
  plugins: [injectedErrorPlugin(Number(process.env.INJECTED_ERROR), projectRoot)],
  test: {
    include: ["lib/flows/ledger.sim.test.ts"],
    globalSetup: ["lib/testing/vitest-database.ts"],
    hookTimeout: 60_000,
  },
});
