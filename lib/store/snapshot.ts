import { Prisma } from "@/lib/store/prisma/client";
import type { Database, Tx } from "./db";

/**
 * Runs `work` in one read-only transaction that sees one tenant as it is at one moment, however many statements it
 * takes (PV-2). `timeoutMs` bounds it as a whole. Waits for no writer, and no writer waits for it.
 */
export function inSnapshot<T>(
  database: Database,
  tenantId: string,
  work: (tx: Tx) => Promise<T>,
  timeoutMs = 60_000,
): Promise<T> {
  return database.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET TRANSACTION READ ONLY`;
      await tx.$executeRaw`SELECT set_config('deadline.tenant_id', ${tenantId}, true)`;
      return work(tx);
    },
    {
      maxWait: 15_000,
      timeout: timeoutMs,
      isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead,
    },
  );
}

/**
 * The rows of a query, found once and handed on `size` at a time by a cursor called `name`; it lives within the open
 * transaction. A name always stands for the same columns: the statement that fetches is prepared under it.
 */
export async function* pagesOf<Row>(
  tx: Tx,
  name: string,
  query: Prisma.Sql,
  size: number,
): AsyncGenerator<readonly Row[]> {
  // Every row will be wanted: a plan for the first few would be the wrong one.
  await tx.$executeRaw`SET LOCAL cursor_tuple_fraction = 1`;
  await tx.$executeRaw`DECLARE ${Prisma.raw(name)} NO SCROLL CURSOR FOR ${query}`;
  for (;;) {
    const rows = await tx.$queryRaw<
      Row[]
    >`FETCH ${Prisma.raw(String(size))} FROM ${Prisma.raw(name)}`;
    if (rows.length > 0) yield rows;
    if (rows.length < size) break;
  }
  await tx.$executeRaw`CLOSE ${Prisma.raw(name)}`;
}
