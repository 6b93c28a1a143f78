import type { Tx } from "./db";

/** Items that are alike in everything that decides who is told and of what: one notice, with its count. */
export interface AlertGroup {
  readonly tenantId: string;
  readonly owner: string;
  readonly team: string;
  readonly reason: string;
  readonly connectionId: string | null;
  /** The worst of them, 1 to 4. */
  readonly consequence: number;
  readonly losesAt: Date | null;
  readonly count: number;
  /** One of them, for a link when it is the only one. */
  readonly itemId: string;
}

/** Takes the turn of the alert pass until the transaction ends; null while another worker has it, else the time. */
export async function takeAlertTurn(tx: Tx): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ taken: boolean; now: string }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended('review alert pass', 0)) AS taken, ledger_now()::text AS now`;
  return row?.taken ? row.now : null;
}

/**
 * Keeps consequence and breach of all items in the queue as the present instant has them (RV-4). Only what differs is
 * written. Returns how many.
 */
export async function keepClocks(tx: Tx, now: string): Promise<number> {
  return tx.$executeRaw`
    UPDATE review_items i
    SET consequence = review_consequence(i.kind, i.reason, i.loses_at, ${now}::timestamptz),
      breached = i.settled_at IS NULL AND i.breach_at <= ${now}::timestamptz
    WHERE i.closed_at IS NULL
      AND (i.breached <> (i.settled_at IS NULL AND i.breach_at <= ${now}::timestamptz)
        OR i.consequence <> review_consequence(i.kind, i.reason, i.loses_at, ${now}::timestamptz))`;
}

/**
 * Gives items of the queue the owner that rules and memberships give them now (RV-1): the first rule that fits, else
 * the reason's own owner, and the team in place of somebody who left. What a person assigned is moved only when its
 * owner left. Items that move are told of as new ones. The groups that moved.
 */
export async function moveOwners(tx: Tx): Promise<AlertGroup[]> {
  return tx.$queryRaw<AlertGroup[]>`
    WITH alike AS MATERIALIZED (
      SELECT tenant_id, reason, kind, connection_id, owner, team, default_owner, routed_by, assigned_by_person
      FROM review_items WHERE closed_at IS NULL
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ), wanted AS MATERIALIZED (
      SELECT a.*, CASE WHEN a.assigned_by_person THEN a.routed_by ELSE rule.id END AS to_rule,
        CASE WHEN NOT a.assigned_by_person THEN standing_owner(a.tenant_id, coalesce(rule.owner, a.default_owner))
          WHEN standing_owner(a.tenant_id, a.owner) = a.owner THEN a.owner ELSE a.team END AS to_owner
      FROM alike a LEFT JOIN LATERAL (
        SELECT r.id, r.owner FROM routing_rules r
        WHERE r.tenant_id = a.tenant_id AND r.retired_at IS NULL AND NOT a.assigned_by_person
          AND (r.reason IS NULL OR r.reason = a.reason) AND (r.kind IS NULL OR r.kind = a.kind)
          AND (r.connection_id IS NULL OR r.connection_id = a.connection_id)
        ORDER BY r.position, r.id LIMIT 1) rule ON true
    ), moving AS MATERIALIZED (
      SELECT * FROM wanted WHERE to_owner <> owner OR to_rule IS DISTINCT FROM routed_by
    ), moved AS (
      UPDATE review_items i
      SET owner = m.to_owner, team = team_of_owner(i.tenant_id, m.to_owner), routed_by = m.to_rule,
        assigned_to = NULL, assigned_by_person = m.assigned_by_person AND m.to_owner = m.owner, assigned_at = NULL,
        status = CASE i.status WHEN 'claimed' THEN 'open' ELSE i.status END, acts = i.acts + 1,
        -- Another rule may escalate sooner.
        next_alert_at = CASE WHEN i.alert_level < 3 AND i.next_alert_at > ledger_now() THEN ledger_now()
          ELSE i.next_alert_at END
      FROM moving m
      WHERE i.closed_at IS NULL AND i.tenant_id = m.tenant_id AND i.reason = m.reason AND i.owner = m.owner
        AND i.team = m.team AND i.default_owner = m.default_owner AND i.assigned_by_person = m.assigned_by_person
        AND i.kind IS NOT DISTINCT FROM m.kind AND i.connection_id IS NOT DISTINCT FROM m.connection_id
        AND i.routed_by IS NOT DISTINCT FROM m.routed_by
      RETURNING i.*, m.owner AS from_owner
    ), told AS (
      INSERT INTO review_acts (tenant_id, item_id, seq, actor, act, detail)
      SELECT tenant_id, id, acts, coalesce('rule:' || routed_by, 'system'), 'routed',
        jsonb_build_object('from', from_owner, 'to', owner)
      FROM moved
    )
    SELECT tenant_id AS "tenantId", owner, team, reason, connection_id AS "connectionId",
      min(consequence)::int AS consequence, min(loses_at) AS "losesAt", count(*)::int AS count,
      min(id::text) AS "itemId"
    FROM moved
    WHERE owner <> from_owner AND settled_at IS NULL AND alert_level > 0 AND status IN ('open', 'second_person')
    GROUP BY 1, 2, 3, 4, 5`;
}

/**
 * Brings items back whose acknowledgement or snooze has ended, whose facts changed meanwhile, or that became critical
 * while they were hidden (RV-4). The groups that came back.
 */
export async function bringBack(tx: Tx, now: string): Promise<AlertGroup[]> {
  return tx.$queryRaw<AlertGroup[]>`
    WITH held AS MATERIALIZED (
      SELECT tenant_id, id, status, regressed_at FROM review_items
      WHERE closed_at IS NULL AND status IN ('acknowledged', 'snoozed')
        AND (status_until <= ${now}::timestamptz OR regressed_at IS NOT NULL
          OR status = 'snoozed' AND consequence = 1)
      FOR UPDATE SKIP LOCKED
    ), back AS (
      UPDATE review_items i
      SET status = CASE WHEN i.assigned_to IS NULL THEN 'open' ELSE 'claimed' END, status_until = NULL,
        acts = i.acts + 1
      FROM held h WHERE i.tenant_id = h.tenant_id AND i.id = h.id
      RETURNING i.*, CASE WHEN h.regressed_at IS NOT NULL THEN 'regressed'
        WHEN h.status = 'snoozed' THEN 'snooze_ended' ELSE 'ack_expired' END AS how
    ), told AS (
      INSERT INTO review_acts (tenant_id, item_id, seq, actor, act)
      SELECT tenant_id, id, acts, 'worker', how FROM back
    )
    SELECT tenant_id AS "tenantId", owner, team, reason, connection_id AS "connectionId",
      min(consequence)::int AS consequence, min(loses_at) AS "losesAt", count(*)::int AS count,
      min(id::text) AS "itemId"
    FROM back GROUP BY 1, 2, 3, 4, 5`;
}

/** Items for which the same alert was raised. */
export interface RaisedGroup extends AlertGroup {
  /** False while a rule escalates them before their limit. */
  readonly breached: boolean;
  /** How many alerts of them count as raised: 1 opened, 2 reminder, 3 breached, then one more per limit. */
  readonly level: number;
  readonly escalateTo: string | null;
}

/**
 * Raises the alerts that are due (RV-1), as `nextAlert` of lib/domain/review-clock.ts says of one item: told when it
 * opens, reminded at half the limit, escalated at the limit or as soon as its rule says, and again after every further
 * limit. At most `limit` items, the worst of them first; the rest stays due. The groups that were raised.
 */
export async function raiseAlerts(tx: Tx, now: string, limit: number): Promise<RaisedGroup[]> {
  return tx.$queryRaw<RaisedGroup[]>`
    WITH due AS MATERIALIZED (
      SELECT i.tenant_id, i.id, i.alert_level, i.opened_at, i.next_alert_at, i.consequence, r.escalate_to,
        least(i.warn_at, i.opened_at + r.escalate_after_minutes * interval '1 minute') AS warn_at,
        least(i.breach_at, i.opened_at + r.escalate_after_minutes * interval '1 minute') AS escalate_at
      FROM review_items i
      LEFT JOIN routing_rules r ON r.tenant_id = i.tenant_id AND r.id = i.routed_by
      WHERE i.closed_at IS NULL AND i.next_alert_at <= ${now}::timestamptz
        AND i.status IN ('open', 'claimed', 'second_person')
      ORDER BY i.consequence, i.next_alert_at LIMIT ${limit} FOR UPDATE OF i SKIP LOCKED
    ), step AS (
      SELECT d.*, CASE WHEN (CASE d.alert_level WHEN 0 THEN d.opened_at WHEN 1 THEN d.warn_at WHEN 2 THEN d.escalate_at
            ELSE d.next_alert_at END) > ${now}::timestamptz THEN d.alert_level
          ELSE greatest(d.alert_level + 1, (d.opened_at <= ${now}::timestamptz)::int
            + (d.warn_at <= ${now}::timestamptz)::int + (d.escalate_at <= ${now}::timestamptz)::int) END AS level
      FROM due d
    ), raised AS (
      UPDATE review_items i
      SET alert_level = least(s.level, 30000), acts = i.acts + (s.level > s.alert_level)::int,
        next_alert_at = CASE s.level WHEN 0 THEN s.opened_at WHEN 1 THEN s.warn_at WHEN 2 THEN s.escalate_at
          ELSE ${now}::timestamptz + review_limit(s.consequence) END
      -- That they are open tells the planner to leave closed ones alone: there are many more of them.
      FROM step s WHERE i.closed_at IS NULL AND i.tenant_id = s.tenant_id AND i.id = s.id
      RETURNING i.tenant_id, i.id, i.owner, i.team, i.reason, i.connection_id, i.consequence, i.loses_at, i.acts,
        i.breached, s.level, s.level > s.alert_level AS is_raised, s.escalate_to
    ), told AS (
      INSERT INTO review_acts (tenant_id, item_id, seq, actor, act, detail)
      SELECT tenant_id, id, acts, 'worker', CASE WHEN level > 2 THEN 'escalated' ELSE 'alerted' END,
        jsonb_build_object('level', level, 'owner', owner)
      FROM raised WHERE is_raised
    )
    SELECT tenant_id AS "tenantId", owner, team, reason, connection_id AS "connectionId", level, breached,
      escalate_to AS "escalateTo", min(consequence)::int AS consequence, min(loses_at) AS "losesAt",
      count(*)::int AS count, min(id::text) AS "itemId"
    FROM raised WHERE is_raised GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`;
}

/** Teams of these tenants that have no active member, as `<tenant> <team>`. */
export async function emptyTeams(tx: Tx, tenantIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ key: string }[]>`
    SELECT t.id || ' ' || teams.team AS key
    FROM unnest(${[...tenantIds]}::uuid[]) AS t(id)
    CROSS JOIN (VALUES ('on_call'), ('account_manager'), ('compliance'), ('admin')) AS roles(role)
    CROSS JOIN LATERAL (SELECT team_of_role(roles.role) AS team) teams
    WHERE NOT EXISTS (SELECT 1 FROM memberships m JOIN accounts a ON a.id = m.account_id
      WHERE m.tenant_id = t.id AND m.role = roles.role AND m.removed_at IS NULL AND a.disabled_at IS NULL)`;
  return new Set(rows.map(({ key }) => key));
}
