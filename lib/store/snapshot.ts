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
