import { AGE_LIMIT_MS, type Consequence } from "@/lib/domain/consequence";
import { escalationLine } from "@/lib/domain/escalation";
import type { ReasonCode } from "@/lib/domain/reason";
import { rotaGaps, type Shift, type Stretch } from "@/lib/domain/rota";
import { defaultTeamOf, firstMatch, type RoutedItem } from "@/lib/domain/routing";
import { isTeam, TEAMS, type Team } from "@/lib/domain/team";
import { instantOf } from "@/lib/domain/zone";
import { asTenant, type Database, ledgerNow } from "@/lib/store/db";
import { comingShifts, membersOnCall } from "@/lib/store/rota";
import { type RoutingRuleRow, rulesInForce } from "@/lib/store/routing";

export interface RoutingPage {
  readonly now: string;
  /** In their order; the first that fits wins. Their ids are what `seen` of a change names. */
  readonly rules: readonly RoutingRuleRow[];
  /** Shifts that run or are still to come. */
  readonly shifts: readonly (Shift & { readonly id: string })[];
  /** Where the rota of a team has nobody within the next two weeks; only of teams that have a rota. */
  readonly gaps: readonly (Stretch & { readonly team: Team })[];
  readonly connections: readonly { readonly id: string; readonly name: string }[];
}

const TWO_WEEKS_MS = 14 * 86_400_000;

/** Who gets which review item, and who is on call (RV-1). */
export async function routingPage(db: Database, tenantId: string): Promise<RoutingPage> {
  return asTenant(db, tenantId, async (tx) => {
    const at = await ledgerNow(tx);
    const rows = await comingShifts(tx, tenantId);
    const shifts = rows.map(({ startsAt, endsAt, ...shift }) => ({
      ...shift,
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
    }));
    const stretch = { from: at.toISOString(), until: instantOf(at.getTime() + TWO_WEEKS_MS) };
    const withRota = TEAMS.filter((team) => shifts.some((shift) => shift.team === team));
    return {
      now: at.toISOString(),
      rules: await rulesInForce(tx, tenantId),
      shifts,
      gaps: withRota.flatMap((team) =>
        rotaGaps(shifts, team, stretch).map((gap) => ({ ...gap, team })),
      ),
      connections: await tx.connection.findMany({
        where: { tenantId },
        select: { id: true, name: true },
        orderBy: { name: "asc" },
      }),
    };
  });
}

export interface WhoWouldGet {
  /** The place of the rule that fits, from 1; null where the reason's own owner has it. */
  readonly rule: number | null;
  /** A team or a person. Without a rule a person who stands behind the item comes before this team. */
  readonly owner: string;
  /** Accounts of that team that are on call now; empty for a person. */
  readonly onCall: readonly string[];
  /** Who is told one after the other when nobody acts. */
  readonly line: readonly string[];
  /** After how many minutes the next in line is told; null for the age limit of the item. */
  readonly escalateAfterMinutes: number | null;
  /** The age limits that hold otherwise, in milliseconds. */
  readonly limitsMs: Readonly<Record<Consequence, number>>;
}

/** Who would get an item of this reason now, by the rules that are in force. */
export async function whoWouldGet(
  db: Database,
  tenantId: string,
  item: RoutedItem & { readonly reason: ReasonCode },
): Promise<WhoWouldGet> {
  return asTenant(db, tenantId, async (tx) => {
    const rules = await rulesInForce(tx, tenantId);
    const rule = firstMatch(rules, item);
    const owner = rule?.owner ?? defaultTeamOf(item.reason);
    const team = isTeam(owner) ? owner : defaultTeamOf(item.reason);
    return {
      rule: rule === null ? null : rules.indexOf(rule) + 1,
      owner,
      onCall: isTeam(owner) ? await membersOnCall(tx, tenantId, owner) : [],
      line: escalationLine({ owner, team, escalateTo: rule?.escalateTo ?? null }),
      escalateAfterMinutes: rule?.escalateAfterMinutes ?? null,
      limitsMs: AGE_LIMIT_MS,
    };
  });
}
