import { EventEmitter } from "node:events";
import { Logger, makeWorkerUtils, run, type WorkerEvents, type WorkerUtils } from "graphile-worker";
import { amountOf, type Contender } from "./contender";
import type { Load } from "./full-path";

const TASK = "bench";
/** Completions are under way when this wait begins. */
const EMPTY_WITHIN_MS = 30_000;
const SILENT = new Logger(() => () => undefined);

/** graphile-worker with jobs that do nothing: one runner per worker, its local queue as large as the batch. */
export async function graphileWorker(url: string): Promise<Contender> {
  const utils = await makeWorkerUtils({ connectionString: url, logger: SILENT });
  await utils.migrate();
  return {
    prepare: async (load) => {
      const jobs = Array.from({ length: amountOf(load) }, (_, number) => ({
        identifier: TASK,
        payload: { number },
      }));
      await utils.addJobs(jobs);
    },
    run: (load) => drain(url, utils, load),
    close: async () => {
      await utils.release();
    },
  };
}

/**
 * From the first job that starts to the last that is gone: starting a runner is not part of it. A job says that it is
 * complete when its completion is sent, so the table has the last word.
 */
async function drain(url: string, utils: WorkerUtils, load: Load): Promise<number> {
  const amount = amountOf(load);
  const events: WorkerEvents = new EventEmitter();
  let firstMs = 0;
  events.once("job:start", () => {
    firstMs = performance.now();
  });
  const sent = new Promise<void>((resolve) => {
    let completed = 0;
    events.on("job:complete", () => {
      completed += 1;
      if (completed === amount) resolve();
    });
  });
  const runners = await Promise.all(
    Array.from({ length: load.workers }, () =>
      run({
        preset: { worker: presetOf(url, load.batch, events) },
        taskList: { [TASK]: async () => undefined },
      }),
    ),
  );
  await sent;
  await untilEmpty(utils);
  const seconds = (performance.now() - firstMs) / 1000;
  await Promise.all(runners.map((runner) => runner.stop()));
  return amount / seconds;
}

function presetOf(connectionString: string, batch: number, events: WorkerEvents) {
  const batched = { localQueue: { size: batch }, completeJobBatchDelay: 0, failJobBatchDelay: 0 };
  return {
    connectionString,
    events,
    logger: SILENT,
    concurrentJobs: batch,
    maxPoolSize: 10,
    pollInterval: 1000,
    ...(batch > 1 ? batched : {}),
  };
}

async function untilEmpty(utils: WorkerUtils): Promise<void> {
  const giveUpMs = performance.now() + EMPTY_WITHIN_MS;
  for (;;) {
    const { rows } = await utils.withPgClient((client) =>
      client.query<{ left: number }>("SELECT count(*)::integer AS left FROM graphile_worker.jobs"),
    );
    if (rows[0]?.left === 0) return;
    if (performance.now() > giveUpMs) throw new Error(`graphile-worker left ${rows[0]?.left} jobs`);
  }
}
