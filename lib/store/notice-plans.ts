import type { NoticeKind } from "@/lib/domain/notice";
import type { Db, Tx } from "./db";

export interface NoticeRef {
  readonly tenantId: string;
  readonly id: string;
}

/** Notices that have gathered long enough, of every tenant, the oldest first. */
export async function noticesToPlan(owner: Db, limit: number): Promise<NoticeRef[]> {
  return owner.$queryRaw<NoticeRef[]>`
    SELECT tenant_id AS "tenantId", id FROM notices
    WHERE planned_at IS NULL AND closed_at IS NULL AND plan_at <= ledger_now()
    ORDER BY plan_at, tenant_id, id LIMIT ${limit}`;
}

export interface PlannableNotice {
  readonly kind: NoticeKind;
  readonly audience: string;
  /** The team behind the audience. */
  readonly team: string;
  /** True when the first audience was not reached: then the whole team is told, whoever is on call. */
  readonly isFollowing: boolean;
}

/** Takes a notice for planning until the transaction ends; null when another worker has it or had it. */
export async function takeNotice(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<PlannableNotice | null> {
  const [row] = await tx.$queryRaw<PlannableNotice[]>`
    SELECT kind, audience, team_of_owner(tenant_id, audience) AS team, follows IS NOT NULL AS "isFollowing"
    FROM notices WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid AND planned_at IS NULL AND closed_at IS NULL
    FOR UPDATE SKIP LOCKED`;
  return row ?? null;
}

/** A member who can be told, with the ways that this person wants. A login may be no address. */
export interface Reader {
  readonly accountId: string;
  readonly mail: boolean;
  readonly chat: boolean;
}

const READER = (audience: string) => audience.replace(/^account:/, "");

/** The person of an `account:` audience; empty when that person is no active member any more. */
export async function readerOf(tx: Tx, tenantId: string, audience: string): Promise<Reader[]> {
  return tx.$queryRaw<Reader[]>`
    SELECT m.account_id AS "accountId", coalesce(p.mail, true) AND (p.mail_to_sealed IS NOT NULL OR a.login LIKE '%_@_%') AS mail, coalesce(p.chat, false) AS chat
    FROM memberships m JOIN accounts a ON a.id = m.account_id
    LEFT JOIN notice_preferences p ON p.account_id = m.account_id
    WHERE m.tenant_id = ${tenantId}::uuid AND m.account_id = ${READER(audience)}::uuid
      AND m.removed_at IS NULL AND a.disabled_at IS NULL`;
}

/** Every active member of a team, and whether the rota has this person on call now. */
export async function readersOfTeam(
  tx: Tx,
  tenantId: string,
  team: string,
): Promise<(Reader & { readonly onCall: boolean })[]> {
  return tx.$queryRaw<(Reader & { readonly onCall: boolean })[]>`
    SELECT m.account_id AS "accountId", coalesce(p.mail, true) AND (p.mail_to_sealed IS NOT NULL OR a.login LIKE '%_@_%') AS mail, coalesce(p.chat, false) AS chat,
      EXISTS (SELECT 1 FROM rota_shifts s WHERE s.tenant_id = m.tenant_id AND s.team = ${team}
        AND s.account_id = m.account_id AND s.retired_at IS NULL
        AND s.starts_at <= ledger_now() AND s.ends_at > ledger_now()) AS "onCall"
    FROM memberships m JOIN accounts a ON a.id = m.account_id
    LEFT JOIN notice_preferences p ON p.account_id = m.account_id
    WHERE m.tenant_id = ${tenantId}::uuid AND team_of_role(m.role) = ${team}
      AND m.removed_at IS NULL AND a.disabled_at IS NULL
    ORDER BY m.account_id`;
}

export interface ReadingEndpoint {
  readonly id: string;
  readonly kind: "chat" | "webhook";
}

/** The active endpoints at which notices of this team arrive. */
export async function endpointsOfTeam(
  tx: Tx,
  tenantId: string,
  team: string,
): Promise<ReadingEndpoint[]> {
  return tx.$queryRaw<ReadingEndpoint[]>`
    SELECT id, kind FROM notice_endpoints
    WHERE tenant_id = ${tenantId}::uuid AND state = 'active' AND (cardinality(teams) = 0 OR ${team} = ANY (teams))
    ORDER BY id`;
}

/** True when the tenant has an endpoint that is told of anything. */
export async function hasEndpoint(tx: Tx, tenantId: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ has: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM notice_endpoints
      WHERE tenant_id = ${tenantId}::uuid AND state = 'active') AS has`;
  return row?.has ?? false;
}

export interface NewDelivery {
  readonly accountId: string | null;
  readonly endpointId: string | null;
  readonly channel: "mail" | "chat" | "webhook";
}

/** Writes one delivery per way, due at once. One that exists already stays as it is. */
export async function insertDeliveries(
  tx: Tx,
  tenantId: string,
  noticeId: string,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO notice_deliveries (tenant_id, id, notice_id, account_id, endpoint_id, channel, next_try_at)
    SELECT ${tenantId}::uuid, gen_random_uuid(), ${noticeId}::uuid, d.account::uuid, d.endpoint::uuid, d.channel,
      ledger_now()
    FROM unnest(${deliveries.map((one) => one.accountId)}::text[],
      ${deliveries.map((one) => one.endpointId)}::text[],
      ${deliveries.map((one) => one.channel)}::text[]) AS d (account, endpoint, channel)
    ON CONFLICT DO NOTHING`;
}

/** Ends the planning of a taken notice. `silent`: there was no way to tell anybody. */
export async function endPlanning(
  tx: Tx,
  tenantId: string,
  id: string,
  plan: { readonly byRota: boolean; readonly silent: boolean },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE notices SET planned_at = ledger_now(), by_rota = ${plan.byRota}, silent = ${plan.silent}
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid`;
}
