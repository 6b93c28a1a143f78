import { nextInLine } from "@/lib/domain/next-in-line";
import { ESCALATION_WINDOW_MS, QUIET_AFTER_MS, UNREACHED_AFTER_TRIES } from "@/lib/domain/notice";
import { noticeHeading } from "@/lib/domain/notice-text";
import { asTenant, type Tx } from "@/lib/store/db";
import { endQuietMatter, joinMatter } from "@/lib/store/notices";
import {
  lineOf,
  markUnreached,
  openNoticeReview,
  type UnreachedNotice,
  unreachedNotices,
} from "@/lib/store/unreached-notices";
import type { WorkerContext } from "./worker-context";

const TOLD_AT_ONCE = 50;

/** Marks the matters of those who are told because others were not reached. */
const NEXT = "next:";

/** The reason of the item that this flow opens; a notice about such an item opens no further one. */
const FAILED = "notification_failed";

/**
 * Looks for notices that nobody took in the tries that are allowed (OB-2, RV-1): opens a review item for each matter and
 * tells the next in line at any hour. The tries of the first one go on. Returns how many there were.
 */
export async function tellNextInLine(context: WorkerContext): Promise<number> {
  const found = await unreachedNotices(context.owner, UNREACHED_AFTER_TRIES, TOLD_AT_ONCE);
  for (const { tenantId, id } of found) {
    await asTenant(context.db, tenantId, async (tx) => {
      const notice = await markUnreached(tx, tenantId, id);
      if (notice !== null) await tellNext(tx, tenantId, id, notice);
    });
    context.log.warn({ event: "notice_unreached", tenant: tenantId });
  }
  return found.length;
}

async function tellNext(
  tx: Tx,
  tenantId: string,
  id: string,
  notice: UnreachedNotice,
): Promise<void> {
  const matter = notice.matter.startsWith(NEXT) ? notice.matter : `${NEXT}${notice.matter}`;
  if (notice.reason !== FAILED) {
    const item = `"${noticeHeading({ ...notice, escalation: false })}"`;
    await openNoticeReview(tx, tenantId, { notice: id, matter, item });
  }
  const [first, ...after] = await lineOf(tx, tenantId, id);
  const next =
    first === undefined
      ? null
      : nextInLine({
          first: first.audience,
          team: first.team,
          byRota: first.byRota,
          after: after.map(({ audience }) => audience),
        });
  if (next === null) return;
  const told = { matter, audience: next, escalation: true };
  await endQuietMatter(tx, tenantId, {
    ...told,
    quietMs: QUIET_AFTER_MS,
    windowMs: ESCALATION_WINDOW_MS,
  });
  await joinMatter(tx, tenantId, {
    ...notice,
    ...told,
    kind: "unreached",
    losesAt: notice.losesAt?.toISOString() ?? null,
    gatherMs: 0,
    follows: id,
  });
}
