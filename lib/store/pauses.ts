import type { SwitchScope, TenantScope } from "@/lib/domain/switch-scope";
import type { Db, Tx } from "./db";

/** A switch with everything that people and the ledger recorded about it. */
export interface PauseRow {
  readonly id: string;
  readonly tenantId: string;
  readonly scope: SwitchScope;
  readonly connectionId: string | null;
  readonly kind: string | null;
  readonly reasonEntry: string | null;
  readonly reasonCode: string | null;
  readonly pausedBy: string;
  readonly pausedAt: Date;
  readonly reviewAt: Date | null;
  readonly resumeAskedBy: string | null;
  readonly resumeAskedAt: Date | null;
  readonly resumeAskedHash: string | null;
  readonly resumeAskedCount: number | null;
  readonly resumedBy: string | null;
  readonly resumedAt: Date | null;
  readonly rampPerMinute: number | null;
  readonly rampLimit: number | null;
  readonly rampTotal: number | null;
  readonly rampEndedAt: Date | null;
}

const COLUMNS = {
  id: true,
  tenantId: true,
  scope: true,
  connectionId: true,
  kind: true,
  reasonEntry: true,
  reasonCode: true,
  pausedBy: true,
  pausedAt: true,
  reviewAt: true,
  resumeAskedBy: true,
  resumeAskedAt: true,
  resumeAskedHash: true,
  resumeAskedCount: true,
  resumedBy: true,
  resumedAt: true,
  rampPerMinute: true,
  rampLimit: true,
  rampTotal: true,
  rampEndedAt: true,
} as const;

export interface NewPause {
  readonly id: string;
  readonly scope: TenantScope | { readonly scope: "all" };
  readonly reason: { readonly ref: string; readonly digest: string };
  readonly reviewAfterHours: number | null;
  readonly by: string;
}

/**
 * Throws a switch; from its commit on no statement makes an operation `submitting` within the scope (BL-6). Null when
 * the scope is held already: of two callers at once one switch stands.
 */
export async function insertPause(
  tx: Tx,
  tenantId: string,
  pause: NewPause,
): Promise<{ readonly pausedAt: Date } | null> {
  const { scope } = pause;
  const [row] = await tx.$queryRaw<{ pausedAt: Date }[]>`
    INSERT INTO pauses (tenant_id, id, scope, connection_id, kind, reason_entry, reason_digest, review_at, paused_by)
    VALUES (${tenantId}::uuid, ${pause.id}::uuid, ${scope.scope},
      ${scope.scope === "connection" ? scope.connectionId : null}::uuid,
      ${scope.scope === "kind" ? scope.kind : null}, ${pause.reason.ref}::uuid, ${pause.reason.digest},
      ledger_now() + ${pause.reviewAfterHours}::int * interval '1 hour', ${pause.by})
    ON CONFLICT DO NOTHING
    RETURNING paused_at AS "pausedAt"`;
  return row ?? null;
}

/** The switch that holds exactly this scope; null when none does. */
export async function activePauseOf(
  db: Db,
  tenantId: string,
  scope: TenantScope | { readonly scope: "all" },
): Promise<PauseRow | null> {
  const row = await db.pause.findFirst({
    where: {
      tenantId,
      scope: scope.scope,
      connectionId: scope.scope === "connection" ? scope.connectionId : null,
      kind: scope.scope === "kind" ? scope.kind : null,
      resumedAt: null,
    },
    select: COLUMNS,
  });
  return row as PauseRow | null;
}

/** One switch of the tenant, resumed or not; null when there is none. */
export async function pauseById(db: Db, tenantId: string, id: string): Promise<PauseRow | null> {
  const row = await db.pause.findUnique({
    where: { tenantId_id: { tenantId, id } },
    select: COLUMNS,
  });
  return row as PauseRow | null;
}

/** Locks a switch until the transaction ends, so that of two who resume it one does; false when there is none. */
export async function lockPause(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM pauses WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  return rows.length > 0;
}

/** Records who asked to resume, with the preview that was on screen and the first rate of the ramp. */
export async function recordResumeAsk(
  tx: Tx,
  tenantId: string,
  id: string,
  ask: {
    readonly by: string;
    readonly hash: string;
    readonly count: number;
    readonly perMinute: number;
  },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE pauses SET resume_asked_by = ${ask.by}, resume_asked_at = ledger_now(), resume_asked_hash = ${ask.hash},
      resume_asked_count = ${ask.count}, ramp_per_minute = ${ask.perMinute}
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid AND resumed_at IS NULL`;
}

/**
 * Opens a switch and begins its ramp; false when it was open already. A connection that the ledger paused by itself
 * is released with it.
 */
export async function openPause(
  tx: Tx,
  tenantId: string,
  id: string,
  resumed: { readonly by: string; readonly rampTotal: number; readonly rampLimit: number },
): Promise<boolean> {
  const rows = await tx.$queryRaw<{ connectionId: string | null }[]>`
    UPDATE pauses SET resumed_by = ${resumed.by}, resumed_at = ledger_now(), ramp_total = ${resumed.rampTotal},
      ramp_limit = ${resumed.rampLimit}
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid AND resumed_at IS NULL
    RETURNING connection_id AS "connectionId"`;
  const [row] = rows;
  if (row?.connectionId) {
    await tx.$executeRaw`
      UPDATE connections SET paused_at = NULL, paused_reason = NULL
      WHERE tenant_id = ${tenantId}::uuid AND id = ${row.connectionId}::uuid`;
  }
  return row !== undefined;
}

/** Ends the ramps of a scope that is paused anew: a switch holds more than a ramp. */
export async function endRampsOf(tx: Tx, tenantId: string, scopeKey: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE pauses SET ramp_ended_at = ledger_now()
    WHERE tenant_id = ${tenantId}::uuid AND resumed_at IS NOT NULL AND ramp_ended_at IS NULL
      AND ramp_per_minute IS NOT NULL AND coalesce(kind, connection_id::text, scope) = ${scopeKey}`;
}

/**
 * Ends ramps that have reached the full rate or have nothing left to start, and records that (BL-6). One statement
 * across tenants; a ramp that another worker is ending is skipped. Returns how many ended.
 */
export async function endFinishedRamps(db: Db): Promise<number> {
  return db.$executeRaw`
    WITH ramp AS MATERIALIZED (
      SELECT p.tenant_id, p.id, p.scope, coalesce(p.kind, p.connection_id::text, p.scope) AS key, p.resumed_at,
        p.ramp_per_minute * power(2, floor(extract(epoch FROM ledger_now() - p.resumed_at) / 300)) >= p.ramp_limit
          AS at_limit
      FROM pauses p
      WHERE p.resumed_at IS NOT NULL AND p.ramp_per_minute IS NOT NULL AND p.ramp_ended_at IS NULL
      FOR UPDATE SKIP LOCKED
    ), over AS MATERIALIZED (
      SELECT r.tenant_id, r.id, r.at_limit FROM ramp r
      WHERE r.at_limit OR NOT EXISTS (
        SELECT 1 FROM operations o
        WHERE (r.scope = 'all' OR o.tenant_id = r.tenant_id) AND o.state IN ('scheduled', 'claimed')
          AND o.due_at <= ledger_now() AND o.approved_at <= r.resumed_at
          AND is_held(ARRAY[r.key], o.connection_id, o.kind)
          AND NOT is_held(switched_off(o.tenant_id), o.connection_id, o.kind))
    ), ended AS (
      UPDATE pauses p SET ramp_ended_at = ledger_now() FROM over o
      WHERE p.tenant_id = o.tenant_id AND p.id = o.id AND p.ramp_ended_at IS NULL
      RETURNING p.tenant_id, p.id, p.ramp_total, o.at_limit
    )
    INSERT INTO control_events (tenant_id, id, kind, about, actor, body)
    SELECT tenant_id, gen_random_uuid(), 'ramp_ended', 'switch:' || id, 'system:ramp',
      json_build_object('total', ramp_total, 'why', CASE WHEN at_limit THEN 'full_rate' ELSE 'all_started' END)::text
    FROM ended`;
}
