import type { Db, Tx } from "./db";

export interface UnstampedSeal {
  readonly tenantId: string;
  readonly seq: number;
  readonly body: string;
}

/**
 * The newest seal of each tenant that has no time stamp, at most `limit`. As the schema's owner. Older ones are covered
 * by it: each seal names the one before.
 */
export async function unstampedSeals(owner: Db, limit: number): Promise<readonly UnstampedSeal[]> {
  return owner.$queryRaw<UnstampedSeal[]>`
    SELECT t.id AS "tenantId", last.seq, last.body FROM tenants t
    CROSS JOIN LATERAL (
      SELECT seq, body FROM seals s WHERE s.tenant_id = t.id ORDER BY seq DESC LIMIT 1
    ) last
    WHERE NOT EXISTS (SELECT 1 FROM seal_stamps p WHERE p.tenant_id = t.id AND p.seal_seq = last.seq)
    ORDER BY t.id LIMIT ${limit}`;
}

/** Keeps the time stamp of a seal; false when it has one already. */
export async function insertStamp(
  tx: Tx,
  { tenantId, seq }: UnstampedSeal,
  stamp: { readonly authority: string; readonly at: Date; readonly token: Buffer },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    INSERT INTO seal_stamps (tenant_id, seal_seq, authority, stamped_at, token)
    VALUES (${tenantId}::uuid, ${seq}, ${stamp.authority}, ${stamp.at}, ${stamp.token})
    ON CONFLICT DO NOTHING`;
  return count > 0;
}
