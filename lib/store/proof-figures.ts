import type { Db } from "./db";

export interface ProofFigures {
  readonly sealedAt: Date | null;
  readonly sealSeq: number | null;
  readonly stampedAt: Date | null;
  readonly checkedAt: Date | null;
  /** Of the last check that ended; null before the first. */
  readonly findings: number | null;
}

/** The tenant's last seal, last time stamp and last finished check of the history (SM-4). */
export async function proofFigures(db: Db, tenantId: string): Promise<ProofFigures> {
  const [row] = await db.$queryRaw<ProofFigures[]>`
    SELECT s.made_at AS "sealedAt", s.seq AS "sealSeq", t.stamped_at AS "stampedAt", c.finished_at AS "checkedAt",
      c.findings
    FROM (SELECT 1) one
    LEFT JOIN LATERAL (SELECT made_at, seq FROM seals WHERE tenant_id = ${tenantId}::uuid
      ORDER BY seq DESC LIMIT 1) s ON true
    LEFT JOIN LATERAL (SELECT stamped_at FROM seal_stamps WHERE tenant_id = ${tenantId}::uuid
      ORDER BY seal_seq DESC LIMIT 1) t ON true
    LEFT JOIN LATERAL (SELECT finished_at, findings FROM history_checks
      WHERE tenant_id = ${tenantId}::uuid AND state = 'done' ORDER BY asked_at DESC, id DESC LIMIT 1) c ON true`;
  return row ?? { sealedAt: null, sealSeq: null, stampedAt: null, checkedAt: null, findings: null };
}
