import { CONSEQUENCES, type Consequence, consequenceAt } from "@/lib/domain/consequence";
import type { ItemStatus } from "@/lib/domain/review-act";
import type { AgeBand } from "@/lib/domain/system-words";
import { teamOf } from "@/lib/domain/team";
import type { Tx } from "@/lib/store/db";
import type { REVIEW_VIEWS } from "./review-list-query";
import type { ReviewViewer } from "./review-rows";

export type CountedView = Exclude<(typeof REVIEW_VIEWS)[number], "closed">;

export type ViewCounts = Readonly<Record<CountedView, number>>;

export type BandCounts = Readonly<Record<Consequence, Readonly<Record<AgeBand, number>>>>;

/** Items of the queue that are alike in everything that views and ageing bars ask for. */
interface Alike {
  readonly status: ItemStatus;
  readonly team: string;
  readonly own: boolean;
  readonly untaken: boolean;
  readonly breached: boolean;
  readonly warned: boolean;
  readonly consequence: number;
  readonly count: number;
}

/** The counts of all views but the closed one and of the ageing bars, by one pass over the queue of the tenant. */
export async function queueCounts(
  tx: Tx,
  tenantId: string,
  viewer: ReviewViewer,
): Promise<{ readonly counts: ViewCounts; readonly bands: BandCounts }> {
  const groups = await tx.$queryRaw<Alike[]>`
    SELECT status, team, owner = ${`account:${viewer.accountId}`} AS own, assigned_to IS NULL AS untaken, breached,
      warn_at <= ledger_now() AS warned, consequence, count(*)::int AS count
    FROM review_items
    WHERE tenant_id = ${tenantId}::uuid AND closed_at IS NULL
    GROUP BY 1, 2, 3, 4, 5, 6, 7`;
  const team = viewer.role === null ? null : teamOf(viewer.role);
  const sum = (which: (group: Alike) => boolean) =>
    groups.filter(which).reduce((total, { count }) => total + count, 0);
  const shown = ({ status }: Alike) => status !== "settled" && status !== "snoozed";
  return {
    counts: {
      mine: sum((group) => shown(group) && (group.own || group.team === team)),
      untaken: sum((group) => shown(group) && group.untaken),
      breached: sum((group) => shown(group) && group.breached),
      critical: sum((group) => shown(group) && group.consequence === 1),
      second_person: sum(({ status }) => status === "second_person"),
      settled: sum(({ status }) => status === "settled"),
      snoozed: sum(({ status }) => status === "snoozed"),
      all: sum(({ status }) => status !== "settled"),
    },
    bands: bandsOf(groups.filter(({ status }) => status !== "settled")),
  };
}

function bandsOf(groups: readonly Alike[]): BandCounts {
  const bands = Object.fromEntries(
    CONSEQUENCES.map((consequence) => [consequence, { within: 0, warning: 0, breached: 0 }]),
  ) as Record<Consequence, Record<AgeBand, number>>;
  for (const { breached, warned, consequence, count } of groups) {
    bands[consequenceAt(consequence)][breached ? "breached" : warned ? "warning" : "within"] +=
      count;
  }
  return bands;
}
