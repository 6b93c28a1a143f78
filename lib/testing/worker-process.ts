import { Client } from "pg";
import type { Child } from "@/workers/launch/child";
import { startProcess, waitUntil } from "./processes";
import { effectsOf, operationOf, type ShopTenant, type Workshop } from "./workshop";

/** A real worker process on the workshop's ledger, with every line that it has written. */
export interface WorkerProcess {
  readonly name: string;
  readonly child: Child;
  readonly lines: readonly string[];
}

/** Starts a worker as it is started in production and waits until it is ready. Whoever starts it ends it. */
export async function startWorker(shop: Workshop, name: string): Promise<WorkerProcess> {
  const url = new URL(shop.ledger.url);
  url.searchParams.set("application_name", name);
  const lines: string[] = [];
  const child = await startProcess({
    command: process.execPath,
    args: ["--import", "tsx", "workers/main.ts"],
    env: {
      DATABASE_URL: url.href,
      DEADLINE_LEDGER_VAULT_KEY: shop.ledger.ctx.vaultKey.toString("base64"),
      OUTBOX_ALLOWED_HOSTS: new URL(shop.sandbox.url).host,
      WORKER_NAME: name,
      LOG_LEVEL: "debug",
    },
    ready: /worker_ready/,
    onLine: (line) => lines.push(line),
  });
  return { name, child, lines };
}

/** Kills a process that still lives, as `kill -9` does, and waits for its end. */
export async function killWorker({ child }: WorkerProcess): Promise<void> {
  child.kill("SIGKILL");
  await child.exited;
}

/** Waits until the operation is in the state, and returns its row. */
export async function untilState(
  shop: Workshop,
  tenant: ShopTenant,
  opId: string,
  state: string,
  timeoutMs = 120_000,
) {
  let seen = "";
  try {
    return await waitUntil(
      async () => {
        const row = await operationOf(shop, tenant, opId);
        seen = `${row.state} ${row.reason}`;
        return row.state === state ? row : null;
      },
      { timeoutMs, what: `the operation is ${state}` },
    );
  } catch (error) {
    throw new Error(`it was last ${seen}`, { cause: error });
  }
}

/** How often the platform has extended the request by the API. */
export async function extensionsOf(
  shop: Workshop,
  tenant: ShopTenant,
  platformRef: string,
): Promise<number> {
  return (await effectsOf(shop, tenant, { requestId: platformRef, kind: "extended" })).length;
}

/** Holds the row of an operation as long as the returned function is not called: its writers wait. */
export async function holdOperation(
  shop: Workshop,
  opId: string,
): Promise<{ readonly waited: () => Promise<boolean>; readonly release: () => Promise<void> }> {
  const client = new Client({ connectionString: shop.ledger.url });
  await client.connect();
  await client.query("BEGIN");
  await client.query("SELECT 1 FROM operations WHERE op_id = $1 FOR UPDATE", [opId]);
  return {
    waited: async () => {
      const { rows } = await client.query<{ waits: boolean }>(
        `SELECT EXISTS (SELECT 1 FROM pg_stat_activity
           WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))) AS waits`,
      );
      return rows[0]?.waits ?? false;
    },
    release: async () => {
      await client.query("ROLLBACK");
      await client.end();
    },
  };
}
