import type { Figure } from "@/lib/domain/metrics";
import type { Db } from "@/lib/store/db";

/**
 * `alive`: its last heartbeat is recent. `late`: heartbeats are missing. `dead`: so many are missing that nobody waits
 * for it any more; what it held is taken over when the lease ends. `stopped`: it said goodbye.
 */
export type WorkerState = "alive" | "late" | "dead" | "stopped";

/** Workers beat every two seconds. Milliseconds of silence after which one is late, and dead (CL-6: within 30 s). */
export const WORKER_LATE_MS = 6_000;
export const WORKER_DEAD_MS = 20_000;

export interface WorkerRow {
  readonly id: string;
  readonly name: string;
  readonly build: string;
  readonly state: WorkerState;
  readonly draining: boolean;
  readonly startedAt: Date;
  readonly heartbeatAt: Date;
  /** Milliseconds since its last heartbeat. */
  readonly silentMs: number;
  readonly inHand: number;
  /** When it last said that it has seen the switches (BL-6); null before the first time. */
  readonly controlsSeenAt: Date | null;
  /** What it last measured of itself, as JSON of numbers. */
  readonly figures: string;
}

/**
 * The worker processes of the installation, those that still matter first: without the ones that stopped or died more
 * than `goneMs` ago. Workers belong to no tenant; the list shows nothing of what they work on.
 */
export async function listWorkers(db: Db, goneMs = 3_600_000): Promise<WorkerRow[]> {
  return db.$queryRaw<WorkerRow[]>`
    SELECT w.*, CASE WHEN w.stopped THEN 'stopped' WHEN w."silentMs" > ${WORKER_DEAD_MS} THEN 'dead'
      WHEN w."silentMs" > ${WORKER_LATE_MS} THEN 'late' ELSE 'alive' END AS state
    FROM (
      SELECT id, name, build, started_at AS "startedAt", heartbeat_at AS "heartbeatAt", in_hand AS "inHand",
        controls_seen_at AS "controlsSeenAt", figures, draining_at IS NOT NULL AS draining, stopped_at IS NOT NULL AS stopped,
        greatest(0, extract(epoch FROM ledger_now() - heartbeat_at) * 1000)::integer AS "silentMs"
      FROM workers
      WHERE heartbeat_at > ledger_now() - ${goneMs}::float8 * interval '1 millisecond'
    ) w
    ORDER BY w.stopped, w."heartbeatAt" DESC, w.name`;
}

/** The figures of OP-1 about workers. A worker that said goodbye is in none of them but the count. */
export async function workerFigures(db: Db): Promise<Figure[]> {
  const workers = await listWorkers(db);
  const states = new Map<WorkerState, number>([
    ["alive", 0],
    ["late", 0],
    ["dead", 0],
  ]);
  for (const { state } of workers) states.set(state, (states.get(state) ?? 0) + 1);
  const present = workers.filter(({ state }) => state !== "stopped");
  return [
    ...[...states].map(
      ([state, value]): Figure => ({ metric: "deadline_ledger_workers", labels: { state }, value }),
    ),
    ...present.flatMap(({ name: worker, silentMs, inHand }): Figure[] => [
      {
        metric: "deadline_ledger_worker_heartbeat_age_seconds",
        labels: { worker },
        value: silentMs / 1000,
      },
      { metric: "deadline_ledger_worker_in_hand", labels: { worker }, value: inHand },
    ]),
  ];
}
