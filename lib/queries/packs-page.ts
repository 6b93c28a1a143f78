import { parseScope, scopeWords } from "@/lib/domain/history-scope";
import { asTenant, type Database } from "@/lib/store/db";

/** One evidence pack as it is listed. */
export interface PackRow {
  readonly id: string;
  readonly scope: unknown;
  /** The scope in words. */
  readonly about: string;
  readonly askedBy: string;
  readonly askedAt: string;
  readonly state: "waiting" | "making" | "ready" | "failed";
  /** How many operations are in it so far. */
  readonly operations: number;
  readonly entries: number;
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly finishedAt: string | null;
}

const PACKS_MAX = 100;

const SHOWN = {
  id: true,
  scope: true,
  askedBy: true,
  askedAt: true,
  state: true,
  operations: true,
  entries: true,
  bytes: true,
  sha256: true,
  finishedAt: true,
} as const;

/** The evidence packs of a tenant, newest first, at most 100 (SM-6). */
export async function packsPage(db: Database, tenantId: string): Promise<readonly PackRow[]> {
  const rows = await asTenant(db, tenantId, (tx) =>
    tx.pack.findMany({
      where: { tenantId },
      orderBy: [{ askedAt: "desc" }, { id: "desc" }],
      take: PACKS_MAX,
      select: SHOWN,
    }),
  );
  return rows.map(rowOf);
}

/** One evidence pack; null when there is none with this id. */
export async function packPage(
  db: Database,
  tenantId: string,
  id: string,
): Promise<PackRow | null> {
  const row = await asTenant(db, tenantId, (tx) =>
    tx.pack.findFirst({ where: { tenantId, id }, select: SHOWN }),
  );
  return row && rowOf(row);
}

function rowOf(row: {
  readonly id: string;
  readonly scope: string;
  readonly askedBy: string;
  readonly askedAt: Date;
  readonly state: string;
  readonly operations: number;
  readonly entries: bigint;
  readonly bytes: bigint | null;
  readonly sha256: string | null;
  readonly finishedAt: Date | null;
}): PackRow {
  const scope = parseScope(row.scope);
  return {
    ...row,
    scope,
    about: scopeWords(scope),
    askedAt: row.askedAt.toISOString(),
    state: row.state as PackRow["state"],
    entries: Number(row.entries),
    bytes: row.bytes === null ? null : Number(row.bytes),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}
