import type { Db, Tx } from "./db";

export interface PreferenceRow {
  readonly mail: boolean;
  readonly mailToSealed: string | null;
  readonly chat: boolean;
  readonly chatUrlSealed: string | null;
  readonly quietFrom: string | null;
  readonly quietUntil: string | null;
}

/** How a person wants to be told; null while that person has said nothing. */
export async function preferenceOf(db: Db, accountId: string): Promise<PreferenceRow | null> {
  return db.noticePreference.findUnique({
    where: { accountId },
    select: {
      mail: true,
      mailToSealed: true,
      chat: true,
      chatUrlSealed: true,
      quietFrom: true,
      quietUntil: true,
    },
  });
}

/** Saves how a person wants to be told, in place of what was said before. */
export async function savePreference(
  tx: Tx,
  accountId: string,
  wanted: PreferenceRow,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO notice_preferences (account_id, mail, mail_to_sealed, chat, chat_url_sealed, quiet_from, quiet_until)
    VALUES (${accountId}::uuid, ${wanted.mail}, ${wanted.mailToSealed}, ${wanted.chat}, ${wanted.chatUrlSealed},
      ${wanted.quietFrom}, ${wanted.quietUntil})
    ON CONFLICT (account_id) DO UPDATE SET mail = excluded.mail, mail_to_sealed = excluded.mail_to_sealed,
      chat = excluded.chat, chat_url_sealed = excluded.chat_url_sealed, quiet_from = excluded.quiet_from,
      quiet_until = excluded.quiet_until, changed_at = ledger_now()`;
}
