import type { Db } from "./db";

export interface AccountForSignIn {
  readonly id: string;
  /** Null for an account that signs in elsewhere (OIDC) and has no password here. */
  readonly passwordHash: string | null;
  readonly disabled: boolean;
}

/** The account behind a login name in any spelling of its letters; null when there is none. */
export async function accountForSignIn(db: Db, login: string): Promise<AccountForSignIn | null> {
  const account = await db.account.findUnique({
    where: { login: login.trim().toLowerCase() },
    select: { id: true, passwordHash: true, disabledAt: true },
  });
  if (account === null) return null;
  return {
    id: account.id,
    passwordHash: account.passwordHash,
    disabled: account.disabledAt !== null,
  };
}

/** Saves the zone that the account calls "my zone". */
export async function saveZone(db: Db, accountId: string, zone: string): Promise<void> {
  await db.account.updateMany({ where: { id: accountId }, data: { zone } });
}
