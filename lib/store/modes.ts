import type { OperationKind } from "@/lib/domain/operation";
import type { Db, Tx } from "./db";

/** What a tenant lets operations of one kind do (GO-1). */
export type Mode = "off" | "shadow" | "live";

/** The mode of a kind; `off` when nobody has switched it on. */
export async function modeOf(db: Db, tenantId: string, kind: OperationKind): Promise<Mode> {
  const row = await db.kindMode.findUnique({
    where: { tenantId_kind: { tenantId, kind } },
    select: { mode: true },
  });
  return (row?.mode ?? "off") as Mode;
}

/** The modes of all kinds that a tenant has set; a kind that is missing is off. */
export async function modesOf(
  db: Db,
  tenantId: string,
): Promise<
  readonly {
    readonly kind: OperationKind;
    readonly mode: Mode;
    readonly changedBy: string;
    readonly changedAt: Date;
  }[]
> {
  const rows = await db.kindMode.findMany({
    where: { tenantId },
    select: { kind: true, mode: true, changedBy: true, changedAt: true },
  });
  return rows.map((row) => ({ ...row, kind: row.kind as OperationKind, mode: row.mode as Mode }));
}

/** Holds the mode of one kind until the transaction ends, so that two changes of it come one after the other. */
export async function lockMode(tx: Tx, tenantId: string, kind: OperationKind): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`mode/${tenantId}/${kind}`}, 0))`;
}

/** Sets the mode of a kind. It holds from the commit on, in every statement that lets a call leave (GO-1). */
export async function setMode(
  tx: Tx,
  tenantId: string,
  kind: OperationKind,
  mode: Mode,
  by: string,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO kind_modes (tenant_id, kind, mode, changed_by) VALUES (${tenantId}::uuid, ${kind}, ${mode}, ${by})
    ON CONFLICT (tenant_id, kind) DO UPDATE
    SET mode = excluded.mode, changed_by = excluded.changed_by, changed_at = ledger_now()`;
}
