import { EventEmitter } from "node:events";
import { Logger, makeWorkerUtils, run, type WorkerEvents, type WorkerUtils } from "graphile-worker";
import { amountOf, type Contender } from "./contender";
import type { Load } from "./full-path";

const TASK = "bench";
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

/** From the first job that starts to the last that is completed: starting a runner is not part of it. */
async function drain(url: string, utils: WorkerUtils, load: Load): Promise<number> {
  const amount = amountOf(load);
  const events: WorkerEvents = new EventEmitter();
  let completed = 0;
  let firstMs = 0;
  const finishedMs = new Promise<number>((resolve) => {
    events.once("job:start", () => {
      firstMs = performance.now();
    });
    events.on("job:complete", () => {
      completed += 1;
      if (completed === amount) resolve(performance.now());
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
  const seconds = ((await finishedMs) - firstMs) / 1000;
  await Promise.all(runners.map((runner) => runner.stop()));
  await expectEmpty(utils);
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

async function expectEmpty(utils: WorkerUtils): Promise<void> {
  const { rows } = await utils.withPgClient((client) =>
    client.query<{ left: number }>("SELECT count(*)::integer AS left FROM graphile_worker.jobs"),
  );
  if (rows[0]?.left !== 0) throw new Error(`graphile-worker left ${rows[0]?.left} jobs`);
}
