import type { Tx } from "./db";

/**
 * Writes who reminds in a workflow, as the next version (RM-1), and makes it the request's present owner. The
 * request's row is locked by it. Returns the number of the version.
 */
export async function setReminderOwner(
  tx: Tx,
  tenantId: string,
  decision: {
    readonly requestRef: string;
    readonly owner: "platform" | "application";
    /** The actor's name as history keeps it. */
    readonly decidedBy: string;
    readonly opId: string | null;
  },
): Promise<number> {
  await tx.$executeRaw`
    UPDATE requests SET reminder_owner = ${decision.owner}
    WHERE tenant_id = ${tenantId}::uuid AND ref = ${decision.requestRef}`;
  const [row] = await tx.$queryRaw<{ version: number }[]>`
    INSERT INTO reminder_owners (tenant_id, request_ref, version, owner, decided_by, op_id)
    SELECT ${tenantId}::uuid, ${decision.requestRef}, coalesce(max(version), 0) + 1, ${decision.owner},
      ${decision.decidedBy}, ${decision.opId}::uuid
    FROM reminder_owners WHERE tenant_id = ${tenantId}::uuid AND request_ref = ${decision.requestRef}
    RETURNING version`;
  if (!row) throw new Error("a written version has a number");
  return row.version;
}
