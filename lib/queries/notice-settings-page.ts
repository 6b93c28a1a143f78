import type { NoticeKind, NoticeTeam } from "@/lib/domain/notice";
import { noticeHeading, teamWords } from "@/lib/domain/notice-text";
import { type NoticeState, noticeTryWords } from "@/lib/domain/notice-words";
import { asTenant, type Database, ledgerNow, type Tx } from "@/lib/store/db";

/** A place where the tenant is told. */
export interface EndpointFacts {
  readonly id: string;
  readonly name: string;
  readonly kind: "chat" | "webhook";
  readonly host: string;
  readonly teams: readonly NoticeTeam[];
  readonly state: "active" | "stopped" | "gone" | "target_refused";
  readonly lastWords: string | null;
  readonly lastAt: string | null;
}

/** One matter that somebody was told of. */
export interface ToldNotice {
  readonly id: string;
  readonly heading: string;
  /** Whom it was for: a team, or "one person". */
  readonly audience: string;
  readonly state: NoticeState;
  readonly openedAt: string;
  readonly count: number;
}

export interface NoticeSettingsPage {
  readonly now: string;
  readonly mailIsOn: boolean;
  readonly endpoints: readonly EndpointFacts[];
  readonly recent: readonly ToldNotice[];
}

/** Where the tenant is told, and what it was told of last (OB-2). */
export async function noticeSettingsPage(
  ctx: { readonly db: Database; readonly mailIsOn?: boolean },
  tenantId: string,
): Promise<NoticeSettingsPage> {
  return asTenant(ctx.db, tenantId, async (tx) => ({
    now: (await ledgerNow(tx)).toISOString(),
    mailIsOn: ctx.mailIsOn ?? false,
    endpoints: await endpointsOf(tx, tenantId),
    recent: await recentOf(tx, tenantId),
  }));
}

async function endpointsOf(tx: Tx, tenantId: string): Promise<EndpointFacts[]> {
  const rows = await tx.noticeEndpoint.findMany({
    where: { tenantId },
    orderBy: { name: "asc" },
    select: {
      id: true,
      name: true,
      kind: true,
      host: true,
      teams: true,
      state: true,
      stoppedWhy: true,
      lastOutcome: true,
      lastStatus: true,
      lastAt: true,
    },
  });
  return rows.map(({ id, name, host, kind, teams, state, stoppedWhy, ...last }) => ({
    id,
    name,
    host,
    kind: kind as EndpointFacts["kind"],
    teams: teams as NoticeTeam[],
    state:
      state === "active" || stoppedWhy === "person" || stoppedWhy === null
        ? (state as "active" | "stopped")
        : (stoppedWhy as "gone" | "target_refused"),
    lastWords: noticeTryWords(last.lastStatus, last.lastOutcome),
    lastAt: last.lastAt?.toISOString() ?? null,
  }));
}

const RECENT = 20;

interface FoundNotice {
  id: string;
  kind: NoticeKind;
  reason: string | null;
  escalation: boolean;
  audience: string;
  count: number;
  openedAt: Date;
  state: NoticeState;
}

async function recentOf(tx: Tx, tenantId: string): Promise<ToldNotice[]> {
  const rows = await tx.$queryRaw<FoundNotice[]>`
    SELECT id, kind, reason, escalation, audience, count, opened_at AS "openedAt",
      CASE WHEN reached_at IS NOT NULL THEN 'reached' WHEN unreached_at IS NOT NULL THEN 'unreached'
        WHEN silent THEN 'silent' WHEN closed_why = 'settled' THEN 'settled'
        WHEN planned_at IS NULL THEN 'gathering' ELSE 'waiting' END AS state
    FROM notices WHERE tenant_id = ${tenantId}::uuid
    ORDER BY opened_at DESC, id DESC LIMIT ${RECENT}`;
  return rows.map(({ audience, openedAt, kind, reason, escalation, ...row }) => ({
    ...row,
    heading: noticeHeading({ kind, reason, escalation, count: row.count }),
    audience: audienceWords(audience),
    openedAt: openedAt.toISOString(),
  }));
}

function audienceWords(audience: string): string {
  if (audience.startsWith("team:")) return teamWords(audience);
  return audience.startsWith("endpoint:") ? "one endpoint" : "one person";
}
