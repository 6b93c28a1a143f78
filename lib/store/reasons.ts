import type { Tx } from "./db";

/** The vault entry of the reason that the newest version of a proposal was given; null where none is recorded. */
export async function proposalReasonRef(
  tx: Tx,
  tenantId: string,
  opId: string,
): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ ref: string | null }[]>`
    SELECT body::json #>> '{evidence,reason,ref}' AS ref FROM operation_events
    WHERE tenant_id = ${tenantId}::uuid AND op_id = ${opId}::uuid AND (from_state IS NULL OR kind = 'edited')
    ORDER BY seq DESC LIMIT 1`;
  return row?.ref ?? null;
}
