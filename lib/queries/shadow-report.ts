import { z } from "zod";
import { reasonSentence } from "@/lib/domain/reason-sentence";
import { COMPARISONS } from "@/lib/domain/shadow";
import { asTenant, type Database } from "@/lib/store/db";

export const ShadowQuerySchema = z.object({
  kind: z.enum(["send", "resend", "remind", "extend", "expire", "void"]).optional(),
  comparison: z.enum(COMPARISONS).optional(),
});

export type ShadowQuery = z.infer<typeof ShadowQuerySchema>;

export interface ShadowFigures {
  readonly kind: string;
  readonly waiting: number;
  readonly wouldAct: number;
  readonly wouldNot: number;
  readonly same: number;
  readonly different: number;
  readonly notComparable: number;
  /** Timers that became operations when the kind went live. */
  readonly released: number;
}

export interface ShadowRow {
  readonly id: string;
  readonly kind: string;
  readonly requestRef: string;
  /** The proposal that people approved; null for a timer. */
  readonly opId: string | null;
  readonly dueAt: string;
  readonly state: string;
  readonly wouldAct: boolean | null;
  /** Why it would not have acted, in words; null when it would or is not judged yet. */
  readonly reason: string | null;
  readonly comparison: string | null;
  readonly observed: string | null;
}

export interface ShadowReport {
  readonly figures: readonly ShadowFigures[];
  readonly rows: readonly ShadowRow[];
}

const ROWS = 100;

/** What shadow mode would have done, per kind and in a list, newest first, against what then happened (GO-1). */
export async function shadowReport(
  db: Database,
  tenantId: string,
  { kind, comparison }: ShadowQuery,
): Promise<ShadowReport> {
  return asTenant(db, tenantId, async (tx) => {
    const figures = await tx.$queryRaw<ShadowFigures[]>`
      SELECT kind, count(*) FILTER (WHERE state = 'planned')::integer AS waiting,
        count(*) FILTER (WHERE would_act)::integer AS "wouldAct",
        count(*) FILTER (WHERE NOT would_act)::integer AS "wouldNot",
        count(*) FILTER (WHERE comparison = 'same')::integer AS same,
        count(*) FILTER (WHERE comparison = 'different')::integer AS different,
        count(*) FILTER (WHERE comparison = 'not_comparable')::integer AS "notComparable",
        count(*) FILTER (WHERE state = 'released')::integer AS released
      FROM shadow_records WHERE tenant_id = ${tenantId}::uuid AND state <> 'dropped'
      GROUP BY kind ORDER BY kind`;
    const found = await tx.shadowRecord.findMany({
      where: {
        tenantId,
        state: { not: "dropped" },
        ...(kind ? { kind } : {}),
        ...(comparison ? { comparison } : {}),
      },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: ROWS,
    });
    return { figures, rows: found.map(rowOf) };
  });
}

interface Found {
  readonly id: string;
  readonly kind: string;
  readonly requestRef: string;
  readonly planId: string | null;
  readonly approvedOpId: string | null;
  readonly releasedOpId: string | null;
  readonly dueAt: Date;
  readonly state: string;
  readonly wouldAct: boolean | null;
  readonly reason: string | null;
  readonly comparison: string | null;
  readonly observed: string | null;
}

function rowOf(found: Found): ShadowRow {
  const { id, kind, requestRef, state, wouldAct, reason, comparison, observed } = found;
  const proposal = found.planId === null ? found.approvedOpId : null;
  return {
    id,
    kind,
    requestRef,
    opId: proposal ?? found.releasedOpId,
    dueAt: found.dueAt.toISOString(),
    state,
    wouldAct,
    reason: reason === null ? null : reasonSentence(reason),
    comparison,
    observed,
  };
}
