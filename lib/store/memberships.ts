import { randomUUID } from "node:crypto";
import type { Role } from "@/lib/domain/role";
import type { Tx } from "./db";

export interface MembershipRow {
  readonly role: Role;
  readonly removedAt: Date | null;
}

/** A membership, locked until the transaction ends; null for somebody who never was a member. */
export async function lockMembership(
  tx: Tx,
  tenantId: string,
  accountId: string,
): Promise<MembershipRow | null> {
  const [row] = await tx.$queryRaw<MembershipRow[]>`
    SELECT role, removed_at AS "removedAt" FROM memberships
    WHERE tenant_id = ${tenantId}::uuid AND account_id = ${accountId}::uuid FOR UPDATE`;
  return row ?? null;
}

/** Makes an account a member, also one that was a member before. False when it is one already. */
export async function insertMembership(
  tx: Tx,
  tenantId: string,
  accountId: string,
  role: Role,
): Promise<boolean> {
  const changed = await tx.$executeRaw`
    INSERT INTO memberships AS m (tenant_id, account_id, role)
    VALUES (${tenantId}::uuid, ${accountId}::uuid, ${role})
    ON CONFLICT (tenant_id, account_id) DO UPDATE SET role = ${role}, removed_at = NULL
      WHERE m.removed_at IS NOT NULL`;
  return changed === 1;
}

/** Gives a member another role; it counts from the commit on, because every request reads it (PV-1). */
export async function updateRole(
  tx: Tx,
  tenantId: string,
  accountId: string,
  role: Role,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE memberships SET role = ${role}
    WHERE tenant_id = ${tenantId}::uuid AND account_id = ${accountId}::uuid AND removed_at IS NULL`;
}

/** Ends a membership; the row stays, so that history still knows the role it had (C-36). */
export async function endMembership(tx: Tx, tenantId: string, accountId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE memberships SET removed_at = ledger_now()
    WHERE tenant_id = ${tenantId}::uuid AND account_id = ${accountId}::uuid AND removed_at IS NULL`;
}

/** The account of a login (in small letters), made without any membership where there is none. */
export async function accountOfLogin(
  tx: Tx,
  account: {
    readonly login: string;
    /** Null for one that signs in elsewhere. */
    readonly passwordHash: string | null;
    /** For how many hours the password holds unless its owner changes it. */
    readonly passwordHours: number;
  },
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const { login, passwordHash, passwordHours } = account;
  const [made] = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO accounts (id, login, password_hash, password_until)
    VALUES (${randomUUID()}::uuid, ${login}, ${passwordHash},
      CASE WHEN ${passwordHash}::text IS NOT NULL THEN ledger_now() + make_interval(hours => ${passwordHours}::int) END)
    ON CONFLICT (login) DO NOTHING RETURNING id`;
  if (made) return { id: made.id, isNew: true };
  const found = await tx.account.findUniqueOrThrow({ where: { login }, select: { id: true } });
  return { id: found.id, isNew: false };
}

/** Writes that a member was here; not more often than the caller finds useful. */
export async function touchMembership(tx: Tx, tenantId: string, accountId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE memberships SET last_seen_at = ledger_now()
    WHERE tenant_id = ${tenantId}::uuid AND account_id = ${accountId}::uuid AND removed_at IS NULL`;
}
