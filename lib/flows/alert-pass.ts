import { consequenceAt } from "@/lib/domain/consequence";
import { escalatedTo } from "@/lib/domain/escalation";
import type { NoticeWish } from "@/lib/domain/notice";
import { teamOf } from "@/lib/domain/team";
import {
  type AlertGroup,
  bringBack,
  emptyTeams,
  keepClocks,
  moveOwners,
  type RaisedGroup,
  raiseAlerts,
  takeAlertTurn,
} from "@/lib/store/alert-pass";
import { type Tx, whenDeadlockedAgain } from "@/lib/store/db";
import { queueNotice } from "./queue-notice";
import type { WorkerContext } from "./worker-context";

/**
 * So many items are alerted of in one pass, the worst first, so that a pass stays short in the worst storm; the rest
 * follows in further passes, one right after the other.
 */
const RAISED_MAX = 10_000;

/** The transaction of a pass may take so long, in milliseconds. */
const PASS_TIMEOUT_MS = 60_000;

/** What somebody is to be told of, and whether it goes out at any hour. */
interface Telling {
  readonly group: AlertGroup;
  readonly kind: NoticeWish["kind"];
  readonly to: string;
}

/**
 * One look at every open review item of every tenant (RV-1, RV-4): consequence and breach as the present instant has
 * them, acknowledgements and snoozes that ended, owners by rules and memberships, and the alerts and escalations that
 * are due, grouped so that a storm of one cause is one notice. One worker at a time; a deadlock with somebody who acts
 * runs it again as a whole. Returns how many items had something happen to them; 0 when there was nothing to do.
 */
export async function alertPass(ctx: Pick<WorkerContext, "owner">): Promise<number> {
  return whenDeadlockedAgain(() =>
    ctx.owner.$transaction(onePass, { maxWait: 15_000, timeout: PASS_TIMEOUT_MS }),
  );
}

async function onePass(tx: Tx): Promise<number> {
  const now = await takeAlertTurn(tx);
  if (now === null) return 0;
  await keepClocks(tx, now);
  const moved = await moveOwners(tx);
  const back = await bringBack(tx, now);
  const raised = await raiseAlerts(tx, now, RAISED_MAX);
  await tell(tx, [
    ...moved.map((group) => ({ group, kind: "review_opened" as const, to: group.owner })),
    ...back.map((group) => ({ group, kind: "review_returned" as const, to: group.owner })),
    ...raised.flatMap(tellingsOf),
  ]);
  const groups: readonly AlertGroup[] = [...moved, ...back, ...raised];
  return groups.reduce((sum, { count }) => sum + count, 0);
}

/** Who is told of a raised alert: the owner of the first three, the next in line from the limit on. */
function tellingsOf(group: RaisedGroup): readonly Telling[] {
  const { level, owner, breached } = group;
  if (level === 1) return [{ group, kind: "review_opened", to: owner }];
  if (level === 2) return [{ group, kind: "review_reminder", to: owner }];
  const next: Telling = { group, kind: "review_escalated", to: escalatedTo(group, level - 2) };
  if (level > 3) return [next];
  return [{ group, kind: breached ? "review_breached" : "review_reminder", to: owner }, next];
}

async function tell(tx: Tx, tellings: readonly Telling[]): Promise<void> {
  const tenants = [...new Set(tellings.map(({ group }) => group.tenantId))];
  if (tenants.length === 0) return;
  const empty = await emptyTeams(tx, tenants);
  for (const telling of tellings) {
    const { tenantId } = telling.group;
    const reaches = !empty.has(`${tenantId} ${telling.to}`);
    await queueNotice(
      tx,
      tenantId,
      wishOf(reaches ? telling : { ...telling, kind: "unowned", to: teamOf("admin") }),
    );
  }
}

/** Kinds that go out at any hour. */
const URGENT: readonly NoticeWish["kind"][] = ["review_breached", "review_escalated", "unowned"];

/** One matter per owner, reason, connection and kind of alert, so that what joins it is counted and not told again. */
function wishOf({ group, kind, to }: Telling): NoticeWish {
  const { owner, reason, connectionId, consequence, count, itemId, losesAt } = group;
  return {
    matter: [kind, owner, reason, connectionId ?? "none"].join(" "),
    audience: { owner: to },
    kind,
    escalation: URGENT.includes(kind),
    subject: {
      reason,
      consequence: consequenceAt(consequence),
      count,
      path: count === 1 ? `/reviews/${itemId}` : `/reviews?view=all&reason=${reason}`,
      losesAt: losesAt?.toISOString() ?? null,
    },
  };
}
