import type { Tx } from "./db";

/** Wakes the workers when this transaction commits: there may be something to start. */
export async function wakeWorkers(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify('deadline_work', '')`;
}
