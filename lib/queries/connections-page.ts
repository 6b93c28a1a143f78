import type { Polling } from "@/lib/domain/connection-acts";
import { connectionHealth } from "@/lib/domain/connection-health";
import type { ConnectionState } from "@/lib/domain/system-words";
import { activeSecrets, openWebhookSecrets } from "@/lib/store/connection-secrets";
import { asTenant, type Database, ledgerNow, type Tx } from "@/lib/store/db";
import { readForecast } from "@/lib/store/read-budget";

/** A secret for deliveries by its id; what it is nobody sees again. Instants are RFC 3339 in UTC. */
export interface SecretFacts {
  readonly keyId: string;
  /** Null for one that was there before people made them in the console. */
  readonly madeAt: string | null;
  /** When it stops by itself; null while it has no end. */
  readonly until: string | null;
}

/** One platform connection as the console may know it: no credential, no secret (PL-1). */
export interface ConnectionFacts {
  readonly id: string;
  readonly name: string;
  readonly adapter: string;
  readonly environment: "sandbox" | "live";
  /** Never empty. */
  readonly owner: string;
  /** Null while nothing was ever read. */
  readonly health: { readonly state: ConnectionState; readonly since: string | null } | null;
  readonly pausedAt: string | null;
  readonly credentialsSetAt: string;
  readonly createdAt: string;
  readonly polling: Polling;
  readonly silentAfterMinutes: number;
  readonly rawRetentionDays: number;
  readonly secrets: readonly SecretFacts[];
  readonly lastReadAt: string | null;
  /** The last authentic delivery; null before the first. */
  readonly lastDeliveryAt: string | null;
  readonly reads: { readonly used: number; readonly limit: number | null };
}

export interface ConnectionsPage {
  readonly now: string;
  readonly connections: readonly ConnectionFacts[];
}

/** What it takes to say which secrets are active: they are sealed as a whole. */
export interface Opener {
  readonly db: Database;
  readonly vaultKey: Buffer;
}

/** Every connection of the tenant, by name. */
export async function connectionsPage(ctx: Opener, tenantId: string): Promise<ConnectionsPage> {
  return asTenant(ctx.db, tenantId, async (tx) => ({
    now: (await ledgerNow(tx)).toISOString(),
    connections: await connectionsOf(tx, ctx.vaultKey, tenantId, null),
  }));
}

interface FoundConnection {
  id: string;
  name: string;
  adapter: string;
  environment: "sandbox" | "live";
  owner: string;
  sealed: string;
  now: Date;
  paused_at: Date | null;
  paused_reason: string | null;
  credentials_set_at: Date;
  created_at: Date;
  polling: Polling;
  silent_after_ms: number;
  raw_retention_days: number;
  last_delivery_at: Date | null;
  seen: readonly { readonly outcome: string; readonly at: string }[] | null;
}

/** The facts of one connection, or of all. Opens the sealed secrets and gives their ids and times alone. */
export async function connectionsOf(
  tx: Tx,
  vaultKey: Buffer,
  tenantId: string,
  id: string | null,
): Promise<ConnectionFacts[]> {
  const rows = await tx.$queryRaw<FoundConnection[]>`
    SELECT c.id, c.name, c.adapter, c.environment, c.owner, c.webhook_secrets_sealed AS sealed, ledger_now() AS now,
      c.paused_at, c.paused_reason, c.credentials_set_at, c.created_at, c.polling, c.silent_after_ms,
      c.raw_retention_days, told.at AS last_delivery_at, reads.seen
    FROM connections c
    LEFT JOIN LATERAL (
      SELECT coalesce(i.last_copy_at, i.received_at) AS at FROM inbox_events i
      WHERE i.tenant_id = c.tenant_id AND i.connection_id = c.id AND i.source = 'webhook'
      ORDER BY i.received_at DESC LIMIT 1) told ON true
    CROSS JOIN LATERAL (
      SELECT json_agg(json_build_object('outcome', r.outcome, 'at', r.started_at) ORDER BY r.started_at DESC) AS seen
      FROM (SELECT n.outcome, n.started_at FROM read_receipts n
        WHERE n.tenant_id = c.tenant_id AND n.connection_id = c.id
        ORDER BY n.started_at DESC LIMIT 10) r) reads
    WHERE c.tenant_id = ${tenantId}::uuid AND (${id}::uuid IS NULL OR c.id = ${id}::uuid)
    ORDER BY c.name`;
  const budgets = new Map((await readForecast(tx, tenantId)).map((one) => [one.connectionId, one]));
  return rows.map((row) => {
    const budget = budgets.get(row.id);
    const reads = { used: budget?.used ?? 0, limit: budget?.limit ?? null };
    return factsOf(row, reads, secretsOf(vaultKey, tenantId, row));
  });
}

function secretsOf(
  vaultKey: Buffer,
  tenantId: string,
  { id, sealed, now }: FoundConnection,
): readonly SecretFacts[] {
  const kept = openWebhookSecrets(vaultKey, tenantId, id, sealed);
  return activeSecrets(kept, now).map(({ keyId, madeAt, until }) => ({
    keyId,
    madeAt: madeAt ?? null,
    until: until ?? null,
  }));
}

function factsOf(
  row: FoundConnection,
  reads: ConnectionFacts["reads"],
  secrets: readonly SecretFacts[],
): ConnectionFacts {
  const seen = (row.seen ?? []).map(({ outcome, at }) => ({
    outcome,
    at: new Date(at).toISOString(),
  }));
  return {
    id: row.id,
    name: row.name,
    adapter: row.adapter,
    environment: row.environment,
    owner: row.owner,
    health: connectionHealth({
      pausedReason: row.paused_at === null ? null : row.paused_reason,
      reads: seen,
      readsUsed: reads.used,
      readsLimit: reads.limit,
    }),
    pausedAt: row.paused_at?.toISOString() ?? null,
    credentialsSetAt: row.credentials_set_at.toISOString(),
    createdAt: row.created_at.toISOString(),
    polling: row.polling,
    silentAfterMinutes: Math.round(row.silent_after_ms / 60_000),
    rawRetentionDays: row.raw_retention_days,
    secrets,
    lastReadAt: seen[0]?.at ?? null,
    lastDeliveryAt: row.last_delivery_at?.toISOString() ?? null,
    reads,
  };
}
