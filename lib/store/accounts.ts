import type { Db } from "./db";

export interface AccountForSignIn {
  readonly id: string;
  /** Null for an account that signs in elsewhere (OIDC), and once a password to start with has ended. */
  readonly passwordHash: string | null;
  readonly disabled: boolean;
}

/** The account behind a login name in any spelling of its letters; null when there is none. */
export async function accountForSignIn(db: Db, login: string): Promise<AccountForSignIn | null> {
  const [account] = await db.$queryRaw<AccountForSignIn[]>`
    SELECT id, disabled_at IS NOT NULL AS disabled,
      CASE WHEN password_until IS NULL OR password_until > ledger_now() THEN password_hash END AS "passwordHash"
    FROM accounts WHERE login = ${login.trim().toLowerCase()}`;
  return account ?? null;
}

/** Saves the zone that the account calls "my zone". */
export async function saveZone(db: Db, accountId: string, zone: string): Promise<void> {
  await db.account.updateMany({ where: { id: accountId }, data: { zone } });
}

/** The hash of an account's password; null for one without a password here. */
export async function passwordOf(db: Db, accountId: string): Promise<string | null> {
  const account = await db.account.findUnique({
    where: { id: accountId },
    select: { passwordHash: true },
  });
  return account?.passwordHash ?? null;
}

/** Saves the hash of a password that its owner chose: it has no end. */
export async function savePassword(db: Db, accountId: string, passwordHash: string): Promise<void> {
  await db.account.updateMany({
    where: { id: accountId },
    data: { passwordHash, passwordUntil: null },
  });
}
