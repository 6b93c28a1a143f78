import { asTenant, type Database, type Db } from "@/lib/store/db";
import { SEEN_EVERY } from "./seen-every";

export interface SessionFacts {
  readonly sessionId: string;
  readonly accountId: string;
  readonly login: string;
  /** The account's own zone, "my zone". */
  readonly zone: string;
  readonly expiresAt: string;
  /** True when the session was last used longer than a few minutes ago, or never. */
  readonly seenLongAgo: boolean;
  /** Null for a local account. */
  readonly provider: {
    /** How long ago its provider last said yes, in milliseconds. */
    readonly silentMs: number;
  } | null;
}

/** A session that is open by the database's clock and whose account may sign in; null otherwise (C-36). */
export async function openSession(db: Database, sessionId: string): Promise<SessionFacts | null> {
  const [row] = await db.$queryRaw<
    {
      account_id: string;
      login: string;
      zone: string;
      expires_at: Date;
      seen_long_ago: boolean;
      silent_ms: number | null;
    }[]
  >`
    SELECT a.id AS account_id, a.login, a.zone, s.expires_at,
      (s.last_seen_at > ledger_now() - make_interval(mins => ${SEEN_EVERY}::int)) IS NOT TRUE AS seen_long_ago,
      (extract(epoch FROM ledger_now() - s.provider_confirmed_at) * 1000)::float8 AS silent_ms
    FROM sessions s JOIN accounts a ON a.id = s.account_id
    WHERE s.id = ${sessionId}::uuid AND s.revoked_at IS NULL AND s.expires_at > ledger_now()
      AND a.disabled_at IS NULL`;
  if (!row) return null;
  return {
    sessionId,
    accountId: row.account_id,
    login: row.login,
    zone: row.zone,
    expiresAt: row.expires_at.toISOString(),
    seenLongAgo: row.seen_long_ago,
    provider: row.silent_ms === null ? null : { silentMs: row.silent_ms },
  };
}

export interface OpenSessionRow {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Null for one that was not used yet. */
  readonly lastSeenAt: string | null;
  /** Whether an identity provider vouches for it; otherwise it began with a password. */
  readonly byProvider: boolean;
}

/** The open sessions of an account, newest first. */
export async function openSessionsOf(
  db: Db,
  accountId: string,
): Promise<readonly OpenSessionRow[]> {
  const rows = await db.$queryRaw<
    {
      id: string;
      created_at: Date;
      expires_at: Date;
      last_seen_at: Date | null;
      issuer: string | null;
    }[]
  >`
    SELECT id, created_at, expires_at, last_seen_at, issuer FROM sessions
    WHERE account_id = ${accountId}::uuid AND revoked_at IS NULL AND expires_at > ledger_now()
    ORDER BY created_at DESC, id LIMIT 50`;
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
    byProvider: row.issuer !== null,
  }));
}

/** Whether an account can sign in with a password of its own, beside any provider. */
export async function hasPassword(db: Db, accountId: string): Promise<boolean> {
  const count = await db.account.count({ where: { id: accountId, passwordHash: { not: null } } });
  return count === 1;
}

export interface ApiKeyFacts {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly tenant: { readonly id: string; readonly slug: string; readonly name: string };
}

/** The key behind a SHA-256 digest, with its tenant; null when it is unknown or revoked. */
export async function openApiKey(db: Database, digest: string): Promise<ApiKeyFacts | null> {
  const [door] = await db.$queryRaw<{ tenant_id: string | null }[]>`
    SELECT tenant_of_api_key(${digest}) AS tenant_id`;
  const tenantId = door?.tenant_id;
  if (!tenantId) return null;
  return asTenant(db, tenantId, async (tx) => {
    const [row] = await tx.$queryRaw<
      { id: string; scopes: string[]; slug: string; name: string }[]
    >`
      SELECT k.id, k.scopes, t.slug, t.name FROM api_keys k JOIN tenants t ON t.id = k.tenant_id
      WHERE k.key_hash = ${digest} AND k.revoked_at IS NULL`;
    if (!row) return null;
    return {
      id: row.id,
      scopes: row.scopes,
      tenant: { id: tenantId, slug: row.slug, name: row.name },
    };
  });
}
