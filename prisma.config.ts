import { defineConfig } from "prisma/config";

// `generate` needs no schema engine, yet the command line tries to download one first. Any program stands in
// for it; `migrate` is left alone, so that whoever is online can use it.
if (process.argv.includes("generate")) process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  ...(process.env.DATABASE_URL ? { datasource: { url: process.env.DATABASE_URL } } : {}),
});
