import { roleOfTeam, type Team } from "@/lib/domain/team";
import type { Db, Tx } from "./db";

/**
 * The accounts of a team that are on call now: those whose shift runs, or all active members where the rota has a gap.
 * A member who left, was switched off or has another role by now does not count. Empty only for a team without
 * members.
 */
export async function membersOnCall(db: Db, tenantId: string, team: Team): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH members AS MATERIALIZED (
      SELECT m.account_id AS id FROM memberships m JOIN accounts a ON a.id = m.account_id
      WHERE m.tenant_id = ${tenantId}::uuid AND m.role = ${roleOfTeam(team)} AND m.removed_at IS NULL
        AND a.disabled_at IS NULL
    ), on_shift AS MATERIALIZED (
      SELECT DISTINCT m.id FROM members m JOIN rota_shifts s ON s.account_id = m.id
      WHERE s.tenant_id = ${tenantId}::uuid AND s.team = ${team} AND s.retired_at IS NULL
        AND s.starts_at <= ledger_now() AND s.ends_at > ledger_now()
    )
    SELECT id FROM on_shift
    UNION ALL
    SELECT id FROM members WHERE NOT EXISTS (SELECT 1 FROM on_shift)
    ORDER BY id`;
  return rows.map(({ id }) => id);
}

export interface ShiftRow {
  readonly id: string;
  readonly team: Team;
  readonly accountId: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/** Shifts that run or are still to come, in their order. */
export async function comingShifts(tx: Tx, tenantId: string): Promise<ShiftRow[]> {
  return tx.$queryRaw<ShiftRow[]>`
    SELECT id, team, account_id AS "accountId", starts_at AS "startsAt", ends_at AS "endsAt"
    FROM rota_shifts
    WHERE tenant_id = ${tenantId}::uuid AND retired_at IS NULL AND ends_at > ledger_now()
    ORDER BY team, starts_at, id`;
}

/** Takes shifts out of the rota; past ones stay on record. Returns how many. */
export async function retireShifts(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<number> {
  return tx.$executeRaw`
    UPDATE rota_shifts SET retired_at = ledger_now()
    WHERE tenant_id = ${tenantId}::uuid AND id = ANY (${[...ids]}::uuid[]) AND retired_at IS NULL`;
}

/** Adds shifts to the rota. Every account must be a member. */
export async function insertShifts(
  tx: Tx,
  tenantId: string,
  by: string,
  shifts: readonly {
    readonly team: Team;
    readonly accountId: string;
    readonly startsAt: string;
    readonly endsAt: string;
  }[],
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO rota_shifts (tenant_id, id, team, account_id, starts_at, ends_at, created_by)
    SELECT ${tenantId}::uuid, gen_random_uuid(), s.team, s."accountId", s."startsAt", s."endsAt", ${by}::uuid
    FROM json_to_recordset(${JSON.stringify(shifts)}::json) AS s(team text, "accountId" uuid,
      "startsAt" timestamptz, "endsAt" timestamptz)`;
}

/**
 * Takes the running and coming shifts of an account out of the rota, except those of a team that it stays in. Past
 * ones stay on record. Returns how many.
 */
export async function retireShiftsOf(
  tx: Tx,
  tenantId: string,
  accountId: string,
  staysIn: Team | null,
): Promise<number> {
  return tx.$executeRaw`
    UPDATE rota_shifts SET retired_at = ledger_now()
    WHERE tenant_id = ${tenantId}::uuid AND account_id = ${accountId}::uuid AND retired_at IS NULL
      AND ends_at > ledger_now() AND team IS DISTINCT FROM ${staysIn}`;
}
