import type { OperationKind } from "@/lib/domain/operation";
import type { Db } from "./db";

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
