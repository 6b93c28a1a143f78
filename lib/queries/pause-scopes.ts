import { asTenant, type Database } from "@/lib/store/db";

/** What pausing one scope would hold now. */
export interface ScopeEffect {
  readonly scope: "tenant" | "connection" | "kind";
  readonly connectionId: string | null;
  /** Name of the connection, or the kind. */
  readonly name: string | null;
  readonly scheduled: number;
  /** Calls under way: they cannot be recalled. */
  readonly finishing: number;
  /** True while a switch holds exactly this scope. */
  readonly paused: boolean;
}

/** Every scope that a person of the tenant may pause, with what it would hold now. */
export async function pauseScopes(
  db: Database,
  tenantId: string,
): Promise<{ readonly scopes: readonly ScopeEffect[] }> {
  return asTenant(db, tenantId, async (tx) => {
    const scopes = await tx.$queryRaw<ScopeEffect[]>`
      WITH open AS MATERIALIZED (
        SELECT connection_id, kind, count(*) FILTER (WHERE state = 'scheduled')::integer AS scheduled,
          count(*) FILTER (WHERE state = 'submitting')::integer AS finishing
        FROM operations WHERE tenant_id = ${tenantId}::uuid AND state IN ('scheduled', 'submitting')
        GROUP BY connection_id, kind
      ), scopes AS (
        SELECT 1 AS place, 'tenant' AS scope, NULL::uuid AS connection_id, NULL AS name
        UNION ALL
        SELECT 2, 'connection', id, name FROM connections WHERE tenant_id = ${tenantId}::uuid
        UNION ALL
        SELECT 3, 'kind', NULL, k
        FROM unnest(ARRAY['send', 'resend', 'remind', 'extend', 'expire', 'void']) AS k
      )
      SELECT s.scope, s.connection_id AS "connectionId", s.name,
        coalesce(sum(o.scheduled), 0)::integer AS scheduled, coalesce(sum(o.finishing), 0)::integer AS finishing,
        EXISTS (SELECT 1 FROM pauses p WHERE p.tenant_id = ${tenantId}::uuid AND p.resumed_at IS NULL
          AND p.scope = s.scope AND p.connection_id IS NOT DISTINCT FROM s.connection_id
          AND p.kind IS NOT DISTINCT FROM CASE WHEN s.scope = 'kind' THEN s.name END) AS paused
      FROM scopes s LEFT JOIN open o
        ON s.scope = 'tenant' OR o.connection_id = s.connection_id OR s.scope = 'kind' AND o.kind = s.name
      GROUP BY s.place, s.scope, s.connection_id, s.name ORDER BY s.place, s.name`;
    return { scopes };
  });
}
