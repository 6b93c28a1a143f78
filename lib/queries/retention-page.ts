import { teamWords } from "@/lib/domain/notice-text";
import type { RecordClass, RemovedCounts } from "@/lib/domain/retention";
import { ROLE_LABELS, type Role } from "@/lib/domain/role";
import { accountOf, isTeam, TEAMS, teamOf } from "@/lib/domain/team";
import { asTenant, type Database, ledgerNow, type Tx } from "@/lib/store/db";
import { countDue, type RetentionDays } from "@/lib/store/retention-due";
import { newestHolds } from "@/lib/store/retention-holds";
import { type RetentionRule, retentionRules } from "@/lib/store/retention-rules";
import { activeMembers, type RoutedMember } from "@/lib/store/routing";
import { type HoldRow, holdRows, personWithoutRole, userName } from "./hold-rows";
import { type Person, personsOf } from "./persons";

export interface RuleRow {
  readonly recordClass: RecordClass;
  readonly days: number;
  /** A team or `account:<uuid>`. */
  readonly owner: string;
  readonly ownerLabel: string;
  /** 0 while the default holds; what `seen` of a change names. */
  readonly version: number;
  readonly changedAt: string | null;
  readonly changedBy: Person | null;
  /** Records that are over their time now and go with the next run. */
  readonly due: number;
  /** Records that are over their time and held. */
  readonly held: number;
}

export interface RunRow {
  readonly id: string;
  readonly at: string;
  readonly removed: RemovedCounts;
  readonly held: number;
}

export interface RetentionPage {
  readonly now: string;
  readonly rules: readonly RuleRow[];
  /** Those that stand first. */
  readonly holds: readonly HoldRow[];
  readonly runs: readonly RunRow[];
  readonly nextRunAt: string | null;
  /** Who can answer for a class: teams that have somebody, and active members. */
  readonly owners: readonly { readonly value: string; readonly label: string }[];
}

const HOLDS_MAX = 200;
const RUNS_MAX = 30;

/** What is kept for how long and by whose word, what is held back, and what was removed (PV-5). */
export async function retentionPage(
  db: Database,
  tenantId: string,
  viewer: { readonly accountId: string; readonly vaultKey: Buffer },
): Promise<RetentionPage> {
  return asTenant(db, tenantId, async (tx) => {
    const rules = await retentionRules(tx, tenantId);
    const members = await activeMembers(tx, tenantId);
    const holds = await newestHolds(tx, tenantId, HOLDS_MAX);
    const scope = { tenantId, vaultKey: viewer.vaultKey };
    const turn = await tx.retentionTurn.findUnique({ where: { tenantId } });
    return {
      now: (await ledgerNow(tx)).toISOString(),
      rules: await ruleRows(tx, tenantId, rules, members, viewer.accountId),
      holds: await holdRows(tx, scope, holds, viewer.accountId),
      runs: await runRows(tx, tenantId),
      nextRunAt: turn?.nextRunAt.toISOString() ?? null,
      owners: ownersAmong(members),
    };
  });
}

async function ruleRows(
  tx: Tx,
  tenantId: string,
  rules: readonly RetentionRule[],
  members: readonly RoutedMember[],
  accountId: string,
): Promise<readonly RuleRow[]> {
  const names = rules.flatMap(({ changedBy }) => (changedBy === null ? [] : [userName(changedBy)]));
  const persons = await personsOf(tx, tenantId, names, accountId);
  const days = Object.fromEntries(
    rules.map(({ recordClass, days: kept }) => [recordClass, kept]),
  ) as RetentionDays;
  const counts = await countDue(tx, tenantId, days);
  return rules.map(({ changedBy, changedAt, ...rule }) => {
    const who = changedBy === null ? null : userName(changedBy);
    return {
      ...rule,
      ownerLabel: ownerLabel(rule.owner, members),
      changedAt: changedAt?.toISOString() ?? null,
      changedBy: who === null ? null : (persons.get(who) ?? personWithoutRole(who)),
      ...counts[rule.recordClass],
    };
  });
}

async function runRows(tx: Tx, tenantId: string): Promise<readonly RunRow[]> {
  const rows = await tx.controlEvent.findMany({
    where: { tenantId, kind: "retention_run", about: "retention" },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: RUNS_MAX,
    select: { id: true, at: true, body: true },
  });
  return rows.map(({ id, at, body }) => {
    const { removed, held } = JSON.parse(body) as Pick<RunRow, "removed" | "held">;
    return { id, at: at.toISOString(), removed, held };
  });
}

function ownersAmong(members: readonly RoutedMember[]): RetentionPage["owners"] {
  const teams = TEAMS.filter((team) => members.some(({ role }) => teamOf(role as Role) === team));
  const people = members.map(({ accountId }) => `account:${accountId}`);
  return [...teams, ...people].map((value) => ({ value, label: ownerLabel(value, members) }));
}

/** A team by its role; a person by role and the first characters of the account, never by name (PV-4). */
function ownerLabel(owner: string, members: readonly RoutedMember[]): string {
  if (isTeam(owner)) return teamWords(owner);
  const accountId = accountOf(owner) ?? "";
  const role = members.find((member) => member.accountId === accountId)?.role;
  const words = role === undefined ? "former member" : ROLE_LABELS[role as Role];
  return `${words} ${accountId.slice(0, 8)}`;
}
