import { PrismaPg } from "@prisma/adapter-pg";
import type { Database } from "@/lib/store/db";
import { PrismaClient } from "@/lib/store/prisma/client";

/** Three pools of one connection each, whose database time can be moved together. */
export interface MovedPools {
  readonly owner: Database;
  readonly worker: Database;
  readonly console: Database;
  /** Sets how far database time is ahead of the machine's, in milliseconds. */
  moveTo(offsetMs: number): Promise<void>;
  close(): Promise<void>;
}

/** One connection that is never given up, so that its moved clock stays. */
function pool(url: string, role: string | null): Database {
  const adapter = new PrismaPg({
    connectionString: url,
    max: 1,
    idleTimeoutMillis: 0,
    ...(role ? { options: `-c role=${role}` } : {}),
  });
  return new PrismaClient({ adapter });
}

export function openMovedPools(url: string): MovedPools {
  const owner = pool(url, null);
  const worker = pool(url, "deadline_worker");
  const console = pool(url, "deadline_console");
  const all = [owner, worker, console];
  return {
    owner,
    worker,
    console,
    async moveTo(offsetMs) {
      for (const one of all) {
        await one.$executeRaw`
          SELECT set_config('deadline.clock_offset', ${`${Math.round(offsetMs)} milliseconds`}, false)`;
      }
    },
    async close() {
      await Promise.all(all.map((one) => one.$disconnect()));
    },
  };
}
