import { asTenant, type Tx } from "@/lib/store/db";
import {
  endPlanning,
  endpointsOfTeam,
  hasEndpoint,
  insertDeliveries,
  type NewDelivery,
  noticesToPlan,
  type PlannableNotice,
  type Reader,
  readerOf,
  readersOfTeam,
  takeNotice,
} from "@/lib/store/notice-plans";
import type { WorkerContext } from "./worker-context";

const PLANNED_AT_ONCE = 50;

/**
 * Finds out for notices that have gathered long enough whom they reach by which ways, and makes one delivery for each
 * (OB-2): the person, or of a team those on call now, else all of its active members; and the tenant's endpoints. Who
 * was removed is not told. Returns how many notices were planned.
 */
export async function planNotices(context: WorkerContext, mailIsOn: boolean): Promise<number> {
  const due = await noticesToPlan(context.owner, PLANNED_AT_ONCE);
  for (const { tenantId, id } of due) {
    await asTenant(context.db, tenantId, async (tx) => {
      const notice = await takeNotice(tx, tenantId, id);
      if (notice !== null) await plan(tx, tenantId, id, notice, mailIsOn);
    });
  }
  return due.length;
}

async function plan(
  tx: Tx,
  tenantId: string,
  id: string,
  notice: PlannableNotice,
  mailIsOn: boolean,
): Promise<void> {
  const { readers, byRota } = await readersFor(tx, tenantId, notice);
  const deliveries = [
    ...readers.flatMap((reader) => waysOf(reader, mailIsOn)),
    ...(await endpointWays(tx, tenantId, notice)),
  ];
  if (deliveries.length > 0) await insertDeliveries(tx, tenantId, id, deliveries);
  const silent = deliveries.length === 0 && !mailIsOn && !(await hasEndpoint(tx, tenantId));
  await endPlanning(tx, tenantId, id, { byRota, silent });
}

async function readersFor(
  tx: Tx,
  tenantId: string,
  { audience, isFollowing }: PlannableNotice,
): Promise<{ readonly readers: readonly Reader[]; readonly byRota: boolean }> {
  if (audience.startsWith("account:")) {
    return { readers: await readerOf(tx, tenantId, audience), byRota: false };
  }
  const team = await readersOfTeam(tx, tenantId, audience);
  const onCall = isFollowing ? [] : team.filter((one) => one.onCall);
  return onCall.length > 0 ? { readers: onCall, byRota: true } : { readers: team, byRota: false };
}

function waysOf({ accountId, mail, chat }: Reader, mailIsOn: boolean): readonly NewDelivery[] {
  return [
    ...(mail && mailIsOn ? [{ accountId, endpointId: null, channel: "mail" as const }] : []),
    ...(chat ? [{ accountId, endpointId: null, channel: "chat" as const }] : []),
  ];
}

/** What one person is waited for is nothing for the team's channel. */
async function endpointWays(
  tx: Tx,
  tenantId: string,
  { kind, team }: PlannableNotice,
): Promise<readonly NewDelivery[]> {
  if (kind === "approval_waiting") return [];
  const endpoints = await endpointsOfTeam(tx, tenantId, team);
  return endpoints.map((one) => ({ accountId: null, endpointId: one.id, channel: one.kind }));
}
