import type { Account } from "./accounts";
import type { Answer } from "./answer";
import type { Platform } from "./context";
import type { Transaction } from "./database";

/**
 * The answer that was given under this key, as long as the profile keeps it. Callers with the same key wait for
 * each other until their transactions end.
 */
export async function answerKept(
  platform: Platform,
  tx: Transaction,
  account: Account,
  key: string | null,
): Promise<Answer | null> {
  const { keyKeptMs } = account.profile;
  if (key === null || keyKeptMs === 0) return null;
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`${account.id}/${key}`]);
  const { rows } = await tx.query<{ answer: Answer }>(
    "SELECT answer FROM idempotency_keys WHERE account_id = $1 AND key = $2 AND stored_at > $3",
    [account.id, key, new Date(platform.now() - keyKeptMs)],
  );
  return rows[0]?.answer ?? null;
}

/** Keeps the answer under the key, in place of one that was forgotten. */
export async function keepAnswer(
  platform: Platform,
  tx: Transaction,
  account: Account,
  key: string | null,
  answer: Answer,
): Promise<void> {
  if (key === null || account.profile.keyKeptMs === 0) return;
  await tx.query(
    `INSERT INTO idempotency_keys (account_id, key, stored_at, answer) VALUES ($1, $2, $3, $4)
     ON CONFLICT (account_id, key) DO UPDATE SET stored_at = $3, answer = $4`,
    [account.id, key, new Date(platform.now()), answer],
  );
}
