import type { Db } from "./db";

/** Names of the migrations that were applied and finished. */
export async function appliedMigrations(db: Db): Promise<string[]> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT migration_name AS name FROM _prisma_migrations
    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
  return rows.map(({ name }) => name);
}
