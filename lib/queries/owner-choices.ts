import type { Role } from "@/lib/domain/role";
import { TEAMS, teamOf } from "@/lib/domain/team";
import { asTenant, type Database } from "@/lib/store/db";

/** A person or a team that an item can be given to. */
export interface OwnerChoiceRow {
  /** `team:on-call` or `account:<uuid>`. */
  readonly owner: string;
  /** The person's role; null for a team. */
  readonly role: Role | null;
  /** Its shift runs now; false for a team, and for everybody while the rota has a gap. */
  readonly onCallNow: boolean;
}

/** Every team and every active member of the tenant, by account and never by name (PV-4). */
export async function ownerChoices(
  db: Database,
  tenantId: string,
): Promise<readonly OwnerChoiceRow[]> {
  const people = await asTenant(
    db,
    tenantId,
    (tx) => tx.$queryRaw<{ id: string; role: Role; shifts: string[] }[]>`
      SELECT m.account_id AS id, m.role, ARRAY(SELECT s.team FROM rota_shifts s
        WHERE s.tenant_id = m.tenant_id AND s.account_id = m.account_id AND s.retired_at IS NULL
          AND s.starts_at <= ledger_now() AND s.ends_at > ledger_now()) AS shifts
      FROM memberships m JOIN accounts a ON a.id = m.account_id
      WHERE m.tenant_id = ${tenantId}::uuid AND m.removed_at IS NULL AND a.disabled_at IS NULL
      ORDER BY m.role, m.account_id`,
  );
  return [
    ...TEAMS.map((owner) => ({ owner, role: null, onCallNow: false })),
    ...people.map(({ id, role, shifts }) => ({
      owner: `account:${id}`,
      role,
      onCallNow: shifts.includes(teamOf(role)),
    })),
  ];
}
