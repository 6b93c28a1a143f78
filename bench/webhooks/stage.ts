import { randomBytes } from "node:crypto";
import { sealWebhookSecrets } from "@/lib/store/connection-secrets";
import { connect, type Database } from "@/lib/store/db";
import { cloneDatabase, type RunningServer } from "@/lib/testing/database-server";
import { startProcess } from "@/lib/testing/processes";
import { aTenant, type TestTenant } from "@/lib/testing/tenants";
import { startWebhookConsole, type WebhookConsole } from "@/lib/testing/webhook-console";
import { BENCH_SECRET, type Prepared } from "./day";

/** One database with a tenant on it, and the two servers that take deliveries. */
export interface Stage {
  readonly owner: Database;
  readonly tenant: TestTenant;
  readonly path: string;
  readonly ledgerUrl: string;
  readonly bareUrl: string;
  close(): Promise<void>;
}

export async function openStage(server: RunningServer): Promise<Stage> {
  const database = await cloneDatabase(server);
  const owner = connect(database.url, { poolMax: 2 });
  const vaultKey = randomBytes(32);
  const tenant = await aTenant(owner);
  const { tenantId, connectionId } = tenant;
  await owner.connection.update({
    where: { tenantId_id: { tenantId, id: connectionId } },
    data: {
      webhookSecretsSealed: sealWebhookSecrets(vaultKey, tenantId, connectionId, [
        { keyId: "k1", secret: BENCH_SECRET },
      ]),
    },
  });
  await owner.$executeRaw`
    CREATE TABLE bare_events (id text PRIMARY KEY, body text NOT NULL, received_at timestamptz NOT NULL DEFAULT now())`;
  const ledger = await startWebhookConsole(database.url, vaultKey);
  const bare = await startBareServer(database.url);
  return {
    owner,
    tenant,
    path: `/api/webhooks/${connectionId}`,
    ledgerUrl: ledger.url,
    bareUrl: bare.url,
    close: async () => {
      await Promise.all([ledger.child.stop(1_000), bare.child.stop(1_000)]);
      await owner.$disconnect();
      await database.close();
    },
  };
}

async function startBareServer(databaseUrl: string): Promise<WebhookConsole> {
  let url = "";
  const child = await startProcess({
    command: process.execPath,
    args: ["--import", "tsx", "bench/webhooks/bare-server.ts"],
    env: { DATABASE_URL: databaseUrl },
    ready: /webhooks_ready/,
    timeoutMs: 60_000,
    onLine: (line) => {
      url = /webhooks_ready (\S+)/.exec(line)?.[1] ?? url;
    },
  });
  return { child, url };
}

/** Requests that the ledger knows, sent and open, under references that begin with `name`. Returns the references. */
export async function someRequests(
  { owner, tenant }: Stage,
  name: string,
  count: number,
): Promise<string[]> {
  const { tenantId, connectionId } = tenant;
  await owner.$executeRaw`
    INSERT INTO requests (tenant_id, ref, connection_id, platform_ref, mirror_status, mirror_expires_at)
    SELECT ${tenantId}::uuid, ${name} || '_' || n, ${connectionId}::uuid, ${name} || '-' || n, 'draft',
      now() + interval '30 days'
    FROM generate_series(1, ${count}::integer) n`;
  await owner.$executeRaw`ANALYZE requests`;
  return Array.from({ length: count }, (_, place) => `${name}-${place + 1}`);
}

export interface Damage {
  readonly lost: number;
  readonly doubled: number;
}

/** What was lost and what was done twice, counted in the database after everything was sent. */
export async function damageOf(
  { owner, tenant: { tenantId } }: Stage,
  name: string,
  events: readonly Prepared[],
  ends: ReadonlyMap<string, string>,
): Promise<Damage> {
  const ids = [...new Set(events.map(({ id }) => `id:${id}`))];
  const [rows] = await owner.$queryRaw<{ kept: number; twice: number }[]>`
    SELECT count(DISTINCT identity)::integer AS kept, (count(*) - count(DISTINCT identity))::integer AS twice
    FROM inbox_events WHERE tenant_id = ${tenantId}::uuid AND outcome IN ('applied', 'no_change')
      AND identity = ANY(${ids}::text[])`;
  const mirrors = await owner.$queryRaw<{ ref: string; status: string }[]>`
    SELECT platform_ref AS ref, mirror_status AS status FROM requests
    WHERE tenant_id = ${tenantId}::uuid AND platform_ref LIKE ${`${name}-%`}`;
  const wrong = mirrors.filter(({ ref, status }) => (ends.get(ref) ?? "draft") !== status).length;
  const [told] = await owner.$queryRaw<{ missing: number; twice: number }[]>`
    SELECT count(*) FILTER (WHERE told.n = 0)::integer AS missing, coalesce(sum(told.n - 1)
      FILTER (WHERE told.n > 1), 0)::integer + coalesce(sum(asked.n - 1) FILTER (WHERE asked.n > 1), 0)::integer AS twice
    FROM requests r,
      LATERAL (SELECT count(*) AS n FROM outbox_events o
        WHERE o.tenant_id = r.tenant_id AND o.request_ref = r.ref) told,
      LATERAL (SELECT count(*) AS n FROM read_orders o
        WHERE o.tenant_id = r.tenant_id AND o.request_ref = r.ref) asked
    WHERE r.tenant_id = ${tenantId}::uuid AND r.platform_ref LIKE ${`${name}-%`} AND r.mirror_terminal`;
  return {
    lost: ids.length - (rows?.kept ?? 0) + wrong + (told?.missing ?? 0),
    doubled: (rows?.twice ?? 0) + (told?.twice ?? 0),
  };
}
