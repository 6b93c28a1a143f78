import { type Database, ledgerNow } from "@/lib/store/db";
import { appliedMigrations } from "@/lib/store/migrations";

export type Readiness = "ready" | "migrations_missing";

/**
 * Whether the database can be used by this build (OP-2): it answers, and every migration that the build brings is
 * applied and finished. Migrations of a later build are no hindrance. Throws when the database does not answer.
 */
export async function readiness(db: Database, brought: readonly string[]): Promise<Readiness> {
  await ledgerNow(db);
  const applied = new Set(await appliedMigrations(db));
  return brought.every((name) => applied.has(name)) ? "ready" : "migrations_missing";
}
