import { readdirSync } from "node:fs";
import path from "node:path";

let names: readonly string[] | undefined;

/** Names of the migrations that came with this build, from the folder that the process was started in. */
export function broughtMigrations(): readonly string[] {
  names ??= readdirSync(path.join(process.cwd(), "prisma", "migrations"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  return names;
}
