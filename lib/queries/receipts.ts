import type { Tx } from "@/lib/store/db";

/** One read of the platform as it is shown (PL-4). */
export interface ReceiptRow {
  readonly id: string;
  readonly opId: string | null;
  readonly purpose: string;
  readonly outcome: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly status: string | null;
  readonly expiresAt: string | null;
  readonly version: string | null;
  readonly lastReminderAt: string | null;
  readonly matches: number;
  readonly hash: string;
}

/** The newest receipts of one request, newest first. */
export async function readsOf(
  tx: Tx,
  tenantId: string,
  requestRef: string,
  count: number,
): Promise<ReceiptRow[]> {
  const rows = await tx.readReceipt.findMany({
    where: { tenantId, requestRef },
    orderBy: { startedAt: "desc" },
    take: count,
    select: {
      id: true,
      opId: true,
      purpose: true,
      outcome: true,
      startedAt: true,
      finishedAt: true,
      status: true,
      expiresAt: true,
      version: true,
      lastReminderAt: true,
      matches: true,
      hash: true,
    },
  });
  return rows.map((row) => ({
    ...row,
    startedAt: row.startedAt.toISOString(),
    finishedAt: row.finishedAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastReminderAt: row.lastReminderAt?.toISOString() ?? null,
  }));
}
