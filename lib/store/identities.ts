import type { Db } from "./db";

/** A subject at a provider, by keyed hashes: neither its name nor its address stands in the database (PV-4). */
export interface IdentityMark {
  readonly issuer: string;
  readonly subjectMark: string;
}

/** The account that the identity was linked to; null before its first sign-in. */
export async function accountOfIdentity(
  db: Db,
  { issuer, subjectMark }: IdentityMark,
): Promise<{ readonly id: string; readonly disabled: boolean } | null> {
  const [row] = await db.$queryRaw<{ id: string; disabled: boolean }[]>`
    SELECT a.id, a.disabled_at IS NOT NULL AS disabled
    FROM account_identities i JOIN accounts a ON a.id = i.account_id
    WHERE i.issuer = ${issuer} AND i.subject_mark = ${subjectMark}`;
  return row ?? null;
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
 * Ends the open sessions of an identity, or only those of one of the provider's own sessions. Returns how many it
 * ended; none is an answer, since a provider may tell twice.
 */
export async function revokeProviderSessions(
  db: Db,
  { issuer, subjectMark }: { readonly issuer: string; readonly subjectMark: string | null },
  providerSessionMark: string | null,
): Promise<number> {
  return db.$executeRaw`
    UPDATE sessions SET revoked_at = ledger_now()
    WHERE issuer = ${issuer} AND revoked_at IS NULL
      AND (${subjectMark}::text IS NULL OR subject_mark = ${subjectMark})
      AND (${providerSessionMark}::text IS NULL OR provider_session_mark = ${providerSessionMark})
      AND NOT (${subjectMark}::text IS NULL AND ${providerSessionMark}::text IS NULL)`;
}
