import { DEFAULT_RULES, RECORD_CLASSES, type RecordClass } from "@/lib/domain/retention";
import type { Db, Tx } from "./db";

/** How long a class is kept, by whose word. */
export interface RetentionRule {
  readonly recordClass: RecordClass;
  readonly days: number;
  /** A team or `account:<uuid>`. */
  readonly owner: string;
  /** 0 while the default holds. */
  readonly version: number;
  readonly changedBy: string | null;
  readonly changedAt: Date | null;
}

/** The rule of every class as it holds now, in the order of the classes (PV-5). */
export async function retentionRules(db: Db, tenantId: string): Promise<RetentionRule[]> {
  const rows = await db.$queryRaw<(RetentionRule & { recordClass: RecordClass })[]>`
    SELECT DISTINCT ON (record_class) record_class AS "recordClass", days, owner, version,
      changed_by AS "changedBy", changed_at AS "changedAt"
    FROM retention_rules WHERE tenant_id = ${tenantId}::uuid ORDER BY record_class, version DESC`;
  const saved = new Map(rows.map((row) => [row.recordClass, row]));
  return RECORD_CLASSES.map(
    (recordClass) =>
      saved.get(recordClass) ?? {
        recordClass,
        ...DEFAULT_RULES[recordClass],
        version: 0,
        changedBy: null,
        changedAt: null,
      },
  );
}

/** Days of every class as they hold now. */
export async function retentionDays(
  db: Db,
  tenantId: string,
): Promise<Readonly<Record<RecordClass, number>>> {
  const rules = await retentionRules(db, tenantId);
  return Object.fromEntries(rules.map(({ recordClass, days }) => [recordClass, days])) as Record<
    RecordClass,
    number
  >;
}

/** Writes the next version of a rule; false when somebody wrote it first. Earlier ones stay. */
export async function insertRetentionRule(
  tx: Tx,
  tenantId: string,
  rule: Pick<RetentionRule, "recordClass" | "days" | "owner" | "version"> & {
    readonly changedBy: string;
  },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    INSERT INTO retention_rules (tenant_id, record_class, version, days, owner, changed_by)
    VALUES (${tenantId}::uuid, ${rule.recordClass}, ${rule.version}, ${rule.days}, ${rule.owner},
      ${rule.changedBy}::uuid)
    ON CONFLICT DO NOTHING`;
  return count === 1;
}
