import { randomUUID } from "node:crypto";
import type { Db } from "./db";

/** Begins a session that ends by itself after so many hours of database time. Returns its id. */
export async function createSession(db: Db, accountId: string, hours: number): Promise<string> {
  const id = randomUUID();
  await db.$executeRaw`
    INSERT INTO sessions (id, account_id, expires_at)
    VALUES (${id}::uuid, ${accountId}::uuid, ledger_now() + make_interval(hours => ${hours}::int))`;
  return id;
}

/**
 * Ends a session at once; only one of the given account. False when it is not one of its open sessions, so that
 * ending twice is calm and a stranger's session cannot be ended.
 */
export async function revokeSession(
  db: Db,
  session: { readonly id: string; readonly accountId: string },
): Promise<boolean> {
  const changed = await db.$executeRaw`
    UPDATE sessions SET revoked_at = ledger_now()
    WHERE id = ${session.id}::uuid AND account_id = ${session.accountId}::uuid AND revoked_at IS NULL`;
  return changed === 1;
}

/** Ends every open session of an account at once, or the one that is named. Returns how many it ended. */
export async function revokeSessionsOf(
  db: Db,
  accountId: string,
  sessionId: string | null,
): Promise<number> {
  return db.$executeRaw`
    UPDATE sessions SET revoked_at = ledger_now()
    WHERE account_id = ${accountId}::uuid AND revoked_at IS NULL AND expires_at > ledger_now()
      AND (${sessionId}::uuid IS NULL OR id = ${sessionId}::uuid)`;
}

/** Writes that a session was used; not more often than the caller finds useful. */
export async function touchSession(db: Db, sessionId: string): Promise<void> {
  await db.$executeRaw`UPDATE sessions SET last_seen_at = ledger_now() WHERE id = ${sessionId}::uuid`;
}
