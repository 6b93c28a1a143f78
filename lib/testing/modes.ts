import { OPERATION_KINDS } from "@/lib/domain/operation";
import type { Database } from "@/lib/store/db";

/** Switches every kind of a new tenant to live: without a mode a kind is off (GO-1). */
export async function letEveryKindRun(owner: Database, tenantId: string): Promise<void> {
  await owner.kindMode.createMany({
    data: OPERATION_KINDS.map((kind) => ({
      tenantId,
      kind,
      mode: "live",
      changedBy: "system:test",
    })),
  });
}
