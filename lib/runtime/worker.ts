import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { DEFAULT_BOUNDS } from "@/lib/domain/bounds";
import type { Log } from "@/lib/flows/context";
import type { NoticeWays } from "@/lib/flows/notice-ways";
import type { WorkerContext } from "@/lib/flows/worker-context";
import { createDelivery, type Deliver } from "@/lib/providers/delivery";
import { createMailer } from "@/lib/providers/mail";
import { providerFor } from "@/lib/providers/registry";
import { ledgerFigures } from "@/lib/queries/ledger-figures";
import { openApiKey } from "@/lib/store/connection-secrets";
import type { ConnectionRow } from "@/lib/store/connections";
import { connect, type Database } from "@/lib/store/db";
import type { WorkerIdentity } from "@/lib/store/workers";
import { type Env, env } from "./env";
import { createLog } from "./log";
import { countingLog, createMetrics, type Metrics } from "./metrics";
import { createScrape } from "./scrape";
import { createSleepClock } from "./sleep-clock";
import type { StatusOptions } from "./status-server";
import { createWorkerMeter, type WorkerMeter } from "./worker-meter";

export interface WorkerRuntime {
  readonly context: WorkerContext;
  readonly identity: WorkerIdentity;
  readonly databaseUrl: string;
  /** Sends to subscribers, and to no internal network but where the installation says so. */
  readonly deliver: Deliver;
  /** By what people are told. */
  readonly notices: NoticeWays;
  /** What it counts of itself, also carried by its heartbeat. */
  readonly meter: WorkerMeter;
  /** Where and how it answers those who watch it. */
  readonly status: Omit<StatusOptions, "ready">;
  close(): Promise<void>;
}

/** Composes one worker process: its identity, two pools, the adapters with opened credentials, clock, log, metrics. */
export function workerRuntime(): WorkerRuntime {
  const settings = env();
  const { DATABASE_URL: databaseUrl, DEADLINE_LEDGER_VAULT_KEY: vaultKey } = settings;
  const id = randomUUID();
  const build = process.env.npm_package_version ?? "dev";
  const name = settings.WORKER_NAME ?? `worker-${id.slice(0, 8)}`;
  const metrics = createMetrics("worker", build);
  const meter = createWorkerMeter(metrics);
  const log = countingLog(createLog(settings.LOG_LEVEL), metrics);
  const owner = connect(databaseUrl, { poolMax: 4 });
  const db = connect(databaseUrl, { role: "deadline_worker", poolMax: 10 });
  const deliver = createDelivery({ allowedTargets: settings.OUTBOX_ALLOWED_HOSTS });
  return {
    identity: { id, name, build, sessionKey: sessionKey() },
    databaseUrl,
    deliver,
    notices: noticeWays(settings, deliver),
    meter,
    status: statusOptions(settings, metrics, owner, log),
    context: {
      owner,
      db,
      worker: { id, name },
      clock: createSleepClock(),
      vaultKey,
      providerOf: (connection) => openProvider(vaultKey, connection),
      bounds: DEFAULT_BOUNDS,
      chance: () => randomInt(1_000_000) / 1_000_000,
      log,
      meter,
    },
    async close() {
      await Promise.all([owner.$disconnect(), db.$disconnect()]);
    },
  };
}

function statusOptions(
  { WORKER_HOST: host, WORKER_PORT: port, METRICS_TOKEN: token }: Env,
  metrics: Metrics,
  owner: Database,
  log: Log,
): WorkerRuntime["status"] {
  const scrape = createScrape(metrics, () => ledgerFigures(owner), log);
  return { host, port, token, log, contentType: metrics.contentType, scrape };
}

function noticeWays(settings: Env, deliver: Deliver): NoticeWays {
  const { SMTP_URL: url, MAIL_FROM: from, NEXTAUTH_URL: origin } = settings;
  return {
    mail: url === undefined || from === undefined ? null : createMailer({ url, from }),
    deliver,
    consoleUrl: origin.replace(/\/+$/, ""),
  };
}

function openProvider(vaultKey: Buffer, connection: ConnectionRow) {
  const apiKey = openApiKey(vaultKey, connection.tenantId, connection.id, connection.apiKeySealed);
  return providerFor({ ...connection, apiKey });
}

/** A random positive key of 63 bits: two workers never share one. */
function sessionKey(): bigint {
  return randomBytes(8).readBigUInt64BE() >> 1n;
}
