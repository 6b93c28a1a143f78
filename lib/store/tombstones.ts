import type { Db, Tx } from "./db";

/** Closes the keys of all operations of these requests for good (ID-8). Those that are closed stay as they are. */
export async function closeKeys(
  tx: Tx,
  tenantId: string,
  requestRefs: readonly string[],
  why: "erasure" | "retention",
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO operation_tombstones (tenant_id, op_key, op_id, payload_hash, why)
    SELECT tenant_id, op_key, op_id, payload_hash, ${why} FROM operations
    WHERE tenant_id = ${tenantId}::uuid AND request_ref = ANY(${[...requestRefs]})
    ON CONFLICT DO NOTHING`;
}

/** True for a key whose operation's data are gone: it is never used again (ID-8). */
export async function isKeyClosed(db: Db, tenantId: string, opKey: string): Promise<boolean> {
  const row = await db.operationTombstone.findFirst({
    where: { tenantId, opKey },
    select: { opId: true },
  });
  return row !== null;
}
