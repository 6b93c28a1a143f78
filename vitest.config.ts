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
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
