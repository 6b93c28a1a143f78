import { parseScope, scopeWords } from "@/lib/domain/history-scope";
import { asTenant, type Database, type Tx } from "@/lib/store/db";

/** One check of the history. */
export interface CheckRow {
  readonly id: string;
  readonly scope: unknown;
  /** The scope in words. */
  readonly about: string;
  readonly askedBy: string;
  readonly askedAt: string;
  readonly state: "waiting" | "running" | "done" | "failed";
  readonly chains: number;
  readonly entries: number;
  readonly seals: number;
  readonly findings: number;
  readonly finishedAt: string | null;
}

export interface FindingRow {
  readonly opId: string | null;
  readonly entry: number | null;
  readonly sealSeq: number | null;
  readonly fault: string;
  readonly detail: string;
  readonly expected: string | null;
  readonly found: string | null;
}

/** The newest seal of the tenant; null before the first. */
export type NewestSealRow = {
  readonly seq: number;
  readonly madeAt: string;
  readonly hash: string;
  /** Whether an authority stamped it, and when by its clock. */
  readonly stampedAt: string | null;
} | null;

const CHECKS_MAX = 50;

const SHOWN = {
  id: true,
  scope: true,
  askedBy: true,
  askedAt: true,
  state: true,
  chains: true,
  entries: true,
  seals: true,
  findings: true,
  finishedAt: true,
} as const;

/** The checks of a tenant, newest first, and its newest seal (SM-4). */
export async function checksPage(
  db: Database,
  tenantId: string,
): Promise<{ readonly checks: readonly CheckRow[]; readonly seal: NewestSealRow }> {
  return asTenant(db, tenantId, async (tx) => {
    const rows = await tx.historyCheck.findMany({
      where: { tenantId },
      orderBy: [{ askedAt: "desc" }, { id: "desc" }],
      take: CHECKS_MAX,
      select: SHOWN,
    });
    return { checks: rows.map(rowOf), seal: await newestSeal(tx, tenantId) };
  });
}

/** One check with what it found; null when there is none with this id. */
export async function checkPage(
  db: Database,
  tenantId: string,
  id: string,
): Promise<{ readonly check: CheckRow; readonly findings: readonly FindingRow[] } | null> {
  return asTenant(db, tenantId, async (tx) => {
    const row = await tx.historyCheck.findFirst({ where: { tenantId, id }, select: SHOWN });
    if (!row) return null;
    const findings = await tx.historyFinding.findMany({
      where: { tenantId, checkId: id },
      orderBy: { place: "asc" },
      omit: { tenantId: true, checkId: true, place: true },
    });
    return { check: rowOf(row), findings };
  });
}

async function newestSeal(tx: Tx, tenantId: string): Promise<NewestSealRow> {
  const seal = await tx.seal.findFirst({
    where: { tenantId },
    orderBy: { seq: "desc" },
    select: { seq: true, madeAt: true, hash: true },
  });
  if (!seal) return null;
  const stamp = await tx.sealStamp.findFirst({ where: { tenantId, sealSeq: seal.seq } });
  return {
    ...seal,
    madeAt: seal.madeAt.toISOString(),
    stampedAt: stamp?.stampedAt.toISOString() ?? null,
  };
}

function rowOf(row: {
  readonly id: string;
  readonly scope: string;
  readonly askedBy: string;
  readonly askedAt: Date;
  readonly state: string;
  readonly chains: bigint;
  readonly entries: bigint;
  readonly seals: number;
  readonly findings: number;
  readonly finishedAt: Date | null;
}): CheckRow {
  const scope = parseScope(row.scope);
  return {
    ...row,
    scope,
    about: scopeWords(scope),
    askedAt: row.askedAt.toISOString(),
    state: row.state as CheckRow["state"],
    chains: Number(row.chains),
    entries: Number(row.entries),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}
