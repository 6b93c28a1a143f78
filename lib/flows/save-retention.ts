import { type FieldProblem, Refusal } from "@/lib/domain/refusal";
import { daysProblem, type RecordClass } from "@/lib/domain/retention";
import { isReachable } from "@/lib/domain/routing";
import { recordControl } from "@/lib/store/control-events";
import { asTenant, type Tx } from "@/lib/store/db";
import { insertRetentionRule, retentionRules } from "@/lib/store/retention-rules";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";
import { reachableIn } from "./save-routing";

export interface RetentionWish {
  readonly recordClass: RecordClass;
  readonly days: number;
  /** A team, or `account:<uuid>` of an active member: no class is without somebody who answers for it. */
  readonly owner: string;
  /** The version that the form showed; 0 for the default. */
  readonly seen: number;
}

/**
 * Writes the next version of how long a class of records is kept (PV-5); it holds from the next run on. A wish that
 * changes nothing writes nothing. Throws Refusal `not_permitted`, `fields_unusable` with `days` or `owner`, and
 * `retention_changed` when another version holds by now.
 */
export async function saveRetention(
  ctx: ConsoleContext,
  actor: Actor,
  wish: RetentionWish,
): Promise<{ readonly version: number }> {
  const { accountId } = permitPerson(actor, "retention.save");
  const { recordClass, days, owner, seen } = wish;
  const { tenantId } = actor;
  return asTenant(ctx.db, tenantId, async (tx) => {
    const fields = await problemsOf(tx, tenantId, wish);
    if (fields.length > 0) throw new Refusal("fields_unusable", { fields });
    const rules = await retentionRules(tx, tenantId);
    const present = rules.find((rule) => rule.recordClass === recordClass);
    const same = present?.days === days && present.owner === owner;
    if (present?.version === seen && same) return { version: seen };
    const version = seen + 1;
    const next = { recordClass, days, owner, version, changedBy: accountId };
    const written = present?.version === seen && (await insertRetentionRule(tx, tenantId, next));
    if (!written)
      throw new Refusal("retention_changed", { values: { n: present?.version ?? seen } });
    await recordControl(tx, tenantId, {
      kind: "retention_saved",
      about: `retention:${recordClass}`,
      actor: actorName(actor),
      body: { version, days, owner, before: { days: present.days, owner: present.owner } },
    });
    return { version };
  });
}

async function problemsOf(
  tx: Tx,
  tenantId: string,
  { recordClass, days, owner }: RetentionWish,
): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = [];
  const wrongDays = daysProblem(recordClass, days);
  if (wrongDays !== null) problems.push({ path: "days", sentence: wrongDays });
  if (!isReachable(owner, await reachableIn(tx, tenantId))) {
    const sentence = "Nobody stands behind this. Choose an active member, or a team that has one.";
    problems.push({ path: "owner", sentence });
  }
  return problems;
}
