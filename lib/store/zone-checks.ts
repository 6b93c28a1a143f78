import type { Db, Tx } from "./db";

/** The business deadline of an open request whose words were not looked at under the present rules yet. */
export interface UncheckedDeadline {
  readonly tenantId: string;
  readonly ref: string;
  /** Canonical text of the deadline as it was approved. */
  readonly deadline: string;
  readonly ownerAccountId: string | null;
  readonly connectionOwner: string;
}

/**
 * Open requests with a business deadline that was last looked at under other rules than `version`, or never (TM-6).
 * By an index of open requests: ended ones cost nothing. Needs a connection that sees every tenant.
 */
export async function uncheckedDeadlines(
  db: Db,
  version: string,
  limit: number,
): Promise<UncheckedDeadline[]> {
  return db.$queryRaw<UncheckedDeadline[]>`
    SELECT r.tenant_id AS "tenantId", r.ref, r.business_deadline AS deadline,
      r.owner_account_id AS "ownerAccountId", c.owner AS "connectionOwner"
    FROM requests r JOIN connections c ON c.tenant_id = r.tenant_id AND c.id = r.connection_id
    WHERE NOT r.mirror_terminal AND r.business_deadline IS NOT NULL
      AND (r.zone_checked < ${version} OR r.zone_checked > ${version})
    LIMIT ${limit}`;
}

/**
 * Notes that these very words were looked at under `version`. False when they were replaced meanwhile; then they are
 * looked at again.
 */
export async function noteZoneCheck(
  tx: Tx,
  { tenantId, ref, deadline }: UncheckedDeadline,
  version: string,
): Promise<boolean> {
  const noted = await tx.$executeRaw`
    UPDATE requests SET zone_checked = ${version}
    WHERE tenant_id = ${tenantId}::uuid AND ref = ${ref} AND business_deadline = ${deadline}`;
  return noted === 1;
}

/** The zones of open requests, of every tenant and without saying whose (TM-6). */
export async function zonesInUse(db: Db): Promise<string[]> {
  const rows = await db.$queryRaw<{ zone: string }[]>`SELECT zones_in_use() AS zone`;
  return rows.map(({ zone }) => zone);
}

/**
 * Minutes east of UTC by the database's own rules for each zone at each instant, as `zone instant` → minutes. A zone
 * that the database does not know is left out.
 */
export async function databaseOffsets(
  db: Db,
  zones: readonly string[],
  instants: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.$queryRaw<{ zone: string; at: Date; minutes: number }[]>`
    SELECT z.name AS zone, i.at,
      (extract(epoch FROM (i.at AT TIME ZONE z.name) - (i.at AT TIME ZONE 'UTC')) / 60)::float8 AS minutes
    FROM (SELECT name FROM pg_timezone_names WHERE name = ANY(${zones}::text[]) OFFSET 0) z
    CROSS JOIN unnest(${instants}::timestamptz[]) AS i (at)`;
  return new Map(rows.map(({ zone, at, minutes }) => [`${zone} ${at.getTime()}`, minutes]));
}
