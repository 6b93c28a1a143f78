import type { Database } from "./database";

/** A mail that was caught instead of being sent on. */
export interface CaughtMail {
  readonly to: string;
  readonly message_id: string;
  readonly subject: string;
  /** The plain-text part. */
  readonly text: string;
  /** RFC 3339. */
  readonly at: string;
}

/** What is older than so many mails is forgotten. */
const KEPT = 1_000;

/** Keeps a mail. */
export async function keepMail(database: Database, mail: Omit<CaughtMail, "at">): Promise<void> {
  await database.query(
    `WITH kept AS (INSERT INTO mails (recipient, message_id, subject, body) VALUES ($1, $2, $3, $4) RETURNING id)
     DELETE FROM mails USING kept WHERE mails.id <= kept.id - $5`,
    [mail.to, mail.message_id, mail.subject, mail.text, KEPT],
  );
}

/** Everything caught for a recipient, or for everybody, the oldest first. */
export async function mailsTo(database: Database, to: string | null): Promise<CaughtMail[]> {
  const { rows } = await database.query<Omit<CaughtMail, "at"> & { at: Date }>(
    `SELECT recipient AS "to", message_id, subject, body AS text, at FROM mails
     WHERE $1::text IS NULL OR recipient = $1 ORDER BY id`,
    [to],
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
