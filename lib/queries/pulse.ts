import type { Role } from "@/lib/domain/role";
import { asTenant, type Database } from "@/lib/store/db";
import { type TenantCounts, tenantCounts } from "./memberships";

export interface PauseRow {
  readonly scope: "all" | "tenant" | "connection" | "kind";
  /** Name of the paused connection; null for other scopes. */
  readonly connection: string | null;
  readonly kind: string | null;
  /** Who paused, in words without a person's name; null where only the switch is known. */
  readonly by: string | null;
  readonly since: string;
  readonly reason: string | null;
}

export interface Pulse {
  /** Database time, the console's clock. */
  readonly now: string;
  readonly counts: TenantCounts;
  readonly pauses: readonly PauseRow[];
  /** Changes when anything of the tenant's operations or requests changed. */
  readonly mark: string;
}

/** What every open page asks every two seconds: time, badges, switches, and whether anything changed (1.3, 1.4). */
export async function pulse(
  db: Database,
  tenantId: string,
  account: { readonly id: string; readonly role: Role },
): Promise<Pulse> {
  const counts = await tenantCounts(db, tenantId, account);
  const seen = await asTenant(db, tenantId, async (tx) => {
    const [head] = await tx.$queryRaw<{ now: Date; mark: string }[]>`
      SELECT ledger_now() AS now, concat_ws('/',
        (SELECT extract(epoch FROM max(changed_at)) FROM operations WHERE tenant_id = ${tenantId}::uuid),
        (SELECT extract(epoch FROM max(mirror_read_at)) FROM requests WHERE tenant_id = ${tenantId}::uuid),
        (SELECT count(*) FROM requests WHERE tenant_id = ${tenantId}::uuid)) AS mark`;
    const switches = await tx.$queryRaw<PauseFound[]>`
      SELECT p.scope, c.name AS connection, p.kind, p.paused_at AS since, p.paused_by AS "pausedBy",
        m.role, NULL AS reason
      FROM pauses p
      LEFT JOIN connections c ON c.tenant_id = p.tenant_id AND c.id = p.connection_id
      LEFT JOIN memberships m ON m.tenant_id = ${tenantId}::uuid AND 'user:' || m.account_id = p.paused_by
      WHERE p.resumed_at IS NULL
      UNION ALL
      SELECT 'connection', c.name, NULL, c.paused_at, '', NULL, c.paused_reason
      FROM connections c WHERE c.tenant_id = ${tenantId}::uuid AND c.paused_at IS NOT NULL`;
    return { head, switches };
  });
  if (!seen.head) throw new Error("the database gave no time");
  const { now, mark } = seen.head;
  return { now: now.toISOString(), mark, counts, pauses: seen.switches.map(row).sort(widestFirst) };
}

interface PauseFound {
  readonly scope: PauseRow["scope"];
  readonly connection: string | null;
  readonly kind: string | null;
  readonly since: Date;
  readonly pausedBy: string;
  readonly role: Role | null;
  readonly reason: string | null;
}

const WIDTH: Record<PauseRow["scope"], number> = { all: 0, tenant: 1, connection: 2, kind: 3 };

function widestFirst(left: PauseRow, right: PauseRow): number {
  return WIDTH[left.scope] - WIDTH[right.scope] || left.since.localeCompare(right.since);
}

function row(found: PauseFound): PauseRow {
  const { scope, connection, kind, reason } = found;
  return {
    scope,
    connection,
    kind,
    reason,
    by: actorWords(found),
    since: found.since.toISOString(),
  };
}

function actorWords({ scope, pausedBy, role }: PauseFound): string | null {
  if (scope === "all") return "an installation operator";
  if (role !== null) return role.replace("_", "-");
  return pausedBy === "" ? null : "the system";
}
