import { defineConfig } from "vitest/config";
import { projectRoot } from "./workers/launch/root.ts";

/** Tests of pure code; everything else gets a database. */
const PURE = ["lib/domain/**/*.test.{ts,tsx}", "components/**/*.test.{ts,tsx}"];

export default defineConfig({
  resolve: { alias: { "@": projectRoot } },
  test: {
    // Two cores: more workers only make the ones that wait for a condition wait longer.
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: "domain", include: PURE } },
      {
        extends: true,
        test: {
          name: "ledger",
          include: ["**/*.test.{ts,tsx}"],
          exclude: [...PURE, "node_modules/**", ".next/**", ".data/**", "e2e/**"],
          globalSetup: ["lib/testing/vitest-database.ts"],
          // Against hanging only: longer than the waits inside, so that these can say for what they waited in vain.
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
