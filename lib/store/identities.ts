import type { Db } from "./db";

/** A subject at a provider, by keyed hashes: neither its name nor its address stands in the database (PV-4). */
export interface IdentityMark {
  readonly issuer: string;
  readonly subjectMark: string;
}

/**
 * The account that the identity was linked to under any of these marks; null before its first sign-in. From then on it
 * stands under its present mark.
 */
export async function accountOfIdentity(
  db: Db,
  { issuer, subjectMark }: IdentityMark,
  marks: readonly string[],
): Promise<{ readonly id: string; readonly disabled: boolean } | null> {
  const [row] = await db.$queryRaw<{ id: string; disabled: boolean; mark: string }[]>`
    SELECT a.id, a.disabled_at IS NOT NULL AS disabled, i.subject_mark AS mark
    FROM account_identities i JOIN accounts a ON a.id = i.account_id
    WHERE i.issuer = ${issuer} AND i.subject_mark = ANY(${[...marks]})`;
  if (!row) return null;
  if (row.mark !== subjectMark) {
    await db.$executeRaw`
      UPDATE account_identities SET subject_mark = ${subjectMark}
      WHERE issuer = ${issuer} AND subject_mark = ${row.mark}`;
  }
  return { id: row.id, disabled: row.disabled };
}

/**
 * Links an identity to an account for good. False when the identity, or the account at this provider, is linked
 * already: an address that changed hands at the provider never takes an account over.
 */
export async function linkIdentity(
  db: Db,
  { issuer, subjectMark }: IdentityMark,
  accountId: string,
): Promise<boolean> {
  const linked = await db.$executeRaw`
    INSERT INTO account_identities (issuer, subject_mark, account_id)
    VALUES (${issuer}, ${subjectMark}, ${accountId}::uuid)
    ON CONFLICT DO NOTHING`;
  return linked === 1;
}

/** Begins a session that a provider vouches for and that ends by itself after so many hours of database time. */
export async function createProviderSession(
  db: Db,
  session: IdentityMark & {
    readonly id: string;
    readonly accountId: string;
    readonly hours: number;
    /** The provider's own session, by a keyed hash; null where it names none. */
    readonly providerSessionMark: string | null;
    /** Sealed. */
    readonly tokens: string;
  },
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO sessions (id, account_id, expires_at, issuer, subject_mark, provider_session_mark, provider_tokens,
      provider_asked_at, provider_confirmed_at)
    VALUES (${session.id}::uuid, ${session.accountId}::uuid, ledger_now() + make_interval(hours => ${session.hours}::int),
      ${session.issuer}, ${session.subjectMark}, ${session.providerSessionMark}, ${session.tokens}, ledger_now(),
      ledger_now())`;
}

/**
 * Takes the turn to ask the provider about a session, for one of all requests at once: its sealed tokens, or null when
 * it was asked less than `everySeconds` ago or the session is no longer open.
 */
export async function takeProviderCheck(
  db: Db,
  sessionId: string,
  everySeconds: number,
): Promise<string | null> {
  const [row] = await db.$queryRaw<{ tokens: string }[]>`
    UPDATE sessions SET provider_asked_at = ledger_now()
    WHERE id = ${sessionId}::uuid AND revoked_at IS NULL AND issuer IS NOT NULL
      AND provider_asked_at <= ledger_now() - make_interval(secs => ${everySeconds}::float8)
    RETURNING provider_tokens AS tokens`;
  return row?.tokens ?? null;
}

/**
 * Records that the provider said yes, with the tokens (sealed) that hold from now on. False when the session was ended
 * while the provider was asked: its yes opens nothing again.
 */
export async function confirmProviderSession(
  db: Db,
  sessionId: string,
  tokens: string,
): Promise<boolean> {
  const confirmed = await db.$executeRaw`
    UPDATE sessions SET provider_confirmed_at = ledger_now(), provider_tokens = ${tokens}
    WHERE id = ${sessionId}::uuid AND issuer IS NOT NULL AND revoked_at IS NULL`;
  return confirmed === 1;
}

/**
 * Ends the open sessions of an identity, or only those of one of the provider's own sessions, each known by any of its
 * marks; null for what the provider did not name. Returns how many it ended; none is an answer, since a provider may
 * tell twice.
 */
export async function revokeProviderSessions(
  db: Db,
  issuer: string,
  {
    subjects,
    sessions,
  }: { readonly subjects: readonly string[] | null; readonly sessions: readonly string[] | null },
): Promise<number> {
  if (subjects === null && sessions === null) return 0;
  return db.$executeRaw`
    UPDATE sessions SET revoked_at = ledger_now()
    WHERE issuer = ${issuer} AND revoked_at IS NULL
      AND (${subjects === null} OR subject_mark = ANY(${[...(subjects ?? [])]}))
      AND (${sessions === null} OR provider_session_mark = ANY(${[...(sessions ?? [])]}))`;
}
