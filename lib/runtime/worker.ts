import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { DEFAULT_BOUNDS } from "@/lib/domain/bounds";
import type { WorkerContext } from "@/lib/flows/worker-context";
import { createDelivery, type Deliver } from "@/lib/providers/delivery";
import { providerFor } from "@/lib/providers/registry";
import { openApiKey } from "@/lib/store/connection-secrets";
import type { ConnectionRow } from "@/lib/store/connections";
import { connect } from "@/lib/store/db";
import type { WorkerIdentity } from "@/lib/store/workers";
import { env } from "./env";
import { createLog } from "./log";
import { createSleepClock } from "./sleep-clock";

export interface WorkerRuntime {
  readonly context: WorkerContext;
  readonly identity: WorkerIdentity;
  readonly databaseUrl: string;
  /** Sends to subscribers, and to no internal network but where the installation says so. */
  readonly deliver: Deliver;
  close(): Promise<void>;
}

/** Composes one worker process: its identity, two pools, the adapters with opened credentials, clock and log. */
export function workerRuntime(): WorkerRuntime {
  const {
    DATABASE_URL,
    DEADLINE_LEDGER_VAULT_KEY: vaultKey,
    LOG_LEVEL,
    OUTBOX_ALLOWED_HOSTS: allowedTargets,
    WORKER_NAME,
  } = env();
  const id = randomUUID();
  const name = WORKER_NAME ?? `worker-${id.slice(0, 8)}`;
  const owner = connect(DATABASE_URL, { poolMax: 4 });
  const db = connect(DATABASE_URL, { role: "deadline_worker", poolMax: 10 });
  return {
    identity: {
      id,
      name,
      build: process.env.npm_package_version ?? "dev",
      sessionKey: sessionKey(),
    },
    databaseUrl: DATABASE_URL,
    deliver: createDelivery({ allowedTargets }),
    context: {
      owner,
      db,
      worker: { id, name },
      clock: createSleepClock(),
      vaultKey,
      providerOf: (connection) => openProvider(vaultKey, connection),
      bounds: DEFAULT_BOUNDS,
      chance: () => randomInt(1_000_000) / 1_000_000,
      log: createLog(LOG_LEVEL),
    },
    async close() {
      await Promise.all([owner.$disconnect(), db.$disconnect()]);
    },
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
