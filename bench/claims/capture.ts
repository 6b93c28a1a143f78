import type { Database, Tx } from "@/lib/store/db";
import { Prisma } from "@/lib/store/prisma/client";

/**
 * The statements that `work` would send, in order, with `$1` placeholders and values. Nothing runs: every statement
 * answers with no rows. So the floor is measured with the store's own SQL and cannot drift away from it.
 */
export async function captureStatements(
  work: (database: Database) => Promise<unknown>,
): Promise<Prisma.Sql[]> {
  const statements: Prisma.Sql[] = [];
  const record = async (strings: TemplateStringsArray, ...values: unknown[]) => {
    statements.push(Prisma.sql(strings, ...values));
    return [];
  };
  const recorder = {
    $queryRaw: record,
    $executeRaw: record,
    $transaction: (inside: (tx: Tx) => Promise<unknown>) => inside(recorder as unknown as Tx),
  };
  await work(recorder as unknown as Database);
  return statements;
}
