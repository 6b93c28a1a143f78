import PgBoss from "pg-boss";
import { amountOf, type Contender } from "./contender";
import type { Load } from "./full-path";

const QUEUE = "bench";

/** pg-boss with jobs that do nothing: each worker fetches a batch and completes it. */
export async function pgBoss(url: string, workers: number): Promise<Contender> {
  const boss = new PgBoss({
    connectionString: url,
    max: workers,
    supervise: false,
    schedule: false,
  });
  boss.on("error", (error) => {
    throw error;
  });
  await boss.start();
  await boss.createQueue(QUEUE);
  return {
    prepare: async (load) => {
      const jobs = Array.from({ length: amountOf(load) }, (_, number) => ({
        name: QUEUE,
        data: { number },
      }));
      await boss.insert(jobs);
    },
    run: async (load) => {
      const startedMs = performance.now();
      await Promise.all(Array.from({ length: load.workers }, () => work(boss, load)));
      const seconds = (performance.now() - startedMs) / 1000;
      const left = await boss.getQueueSize(QUEUE, { before: "completed" });
      if (left > 0) throw new Error(`pg-boss left ${left} jobs`);
      return amountOf(load) / seconds;
    },
    close: () => boss.stop({ graceful: false, wait: true }),
  };
}

async function work(boss: PgBoss, load: Load): Promise<void> {
  for (let cycle = 0; cycle < load.cycles; cycle += 1) {
    const jobs = await boss.fetch(QUEUE, { batchSize: load.batch });
    await boss.complete(
      QUEUE,
      jobs.map(({ id }) => id),
    );
  }
}
