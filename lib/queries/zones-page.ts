import { ZONE_DATA_VERSION } from "@/lib/domain/zone";
import { asTenant, type Database, ledgerNow, type Tx } from "@/lib/store/db";

export interface ZonesPage {
  readonly now: string;
  /** Release of the zone rules that ship with the product. */
  readonly version: string;
  /** Zones of the tenant's open requests. */
  readonly zones: readonly string[];
  readonly databaseVersion: string;
  /** Open business deadlines by the release they were computed with. */
  readonly computedWith: readonly { readonly zoneData: string; readonly count: number }[];
  /** Open deadlines that the worker has not looked at under the present rules yet. */
  readonly unchecked: number;
  /** Deadlines that newer rules would move, from their open review items; at most a hundred. */
  readonly moved: readonly MovedDeadline[];
  /** How far each platform's clock is from the database's. */
  readonly clocks: readonly PlatformClock[];
}

export interface MovedDeadline {
  readonly ref: string;
  readonly zone: string;
  readonly at: string;
  readonly wouldBe: string;
  readonly openedAt: string;
}

export interface PlatformClock {
  readonly connection: string;
  /** Milliseconds by which the platform is ahead; null while no read has shown it. */
  readonly skewMs: number | null;
  readonly measuredAt: string | null;
}

const MOVED_MAX = 100;

/** What there is to know about zone rules and clocks in one tenant (TM-4, TM-6). */
export async function zonesPage(db: Database, tenantId: string): Promise<ZonesPage> {
  return asTenant(db, tenantId, async (tx) => {
    const [zones, deadlines, moved, clocks] = [
      await zonesOf(tx, tenantId),
      await deadlinesOf(tx, tenantId),
      await movedOf(tx, tenantId),
      await clocksOf(tx, tenantId),
    ];
    const [server] = await tx.$queryRaw<{ version: string }[]>`
      SELECT current_setting('server_version') AS version`;
    return {
      now: (await ledgerNow(tx)).toISOString(),
      version: ZONE_DATA_VERSION,
      zones,
      databaseVersion: server?.version ?? "",
      computedWith: deadlines.map(({ zone_data: zoneData, count }) => ({ zoneData, count })),
      unchecked: deadlines.reduce((sum, { unchecked }) => sum + unchecked, 0),
      moved,
      clocks,
    };
  });
}

async function zonesOf(tx: Tx, tenantId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ zone: string }[]>`
    SELECT DISTINCT zone FROM requests
    WHERE tenant_id = ${tenantId}::uuid AND NOT mirror_terminal ORDER BY zone`;
  return rows.map(({ zone }) => zone);
}

function deadlinesOf(tx: Tx, tenantId: string) {
  return tx.$queryRaw<{ zone_data: string; count: number; unchecked: number }[]>`
    SELECT business_deadline::json ->> 'zoneData' AS zone_data, count(*)::int AS count,
      (count(*) FILTER (WHERE zone_checked <> ${ZONE_DATA_VERSION}))::int AS unchecked
    FROM requests
    WHERE tenant_id = ${tenantId}::uuid AND NOT mirror_terminal AND business_deadline IS NOT NULL
    GROUP BY 1 ORDER BY 1`;
}

async function movedOf(tx: Tx, tenantId: string): Promise<MovedDeadline[]> {
  const rows = await tx.$queryRaw<
    { ref: string; zone: string; a: string; b: string; opened_at: Date }[]
  >`
    SELECT request_ref AS ref, evidence::json ->> 'zone' AS zone, evidence::json ->> 'a' AS a,
      evidence::json ->> 'b' AS b, opened_at
    FROM review_items
    WHERE tenant_id = ${tenantId}::uuid AND settled_at IS NULL AND reason = 'zone_rules_changed'
    ORDER BY opened_at, id LIMIT ${MOVED_MAX}`;
  return rows.map(({ a, b, opened_at, ...row }) => ({
    ...row,
    at: a,
    wouldBe: b,
    openedAt: opened_at.toISOString(),
  }));
}

async function clocksOf(tx: Tx, tenantId: string): Promise<PlatformClock[]> {
  const rows = await tx.$queryRaw<{ name: string; skew: number | null; at: Date | null }[]>`
    SELECT name, clock_skew_ms AS skew, clock_skew_at AS at FROM connections
    WHERE tenant_id = ${tenantId}::uuid ORDER BY name`;
  return rows.map(({ name, skew, at }) => ({
    connection: name,
    skewMs: skew,
    measuredAt: at?.toISOString() ?? null,
  }));
}
