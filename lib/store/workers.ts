import type { Database, Db } from "./db";

export interface WorkerIdentity {
  readonly id: string;
  readonly name: string;
  readonly build: string;
  /** Held as an advisory lock by the worker's own session for as long as it lives (RC-9). */
  readonly sessionKey: bigint;
}

/** Enters a worker that begins. */
export async function enterWorker(db: Db, worker: WorkerIdentity): Promise<void> {
  await db.$executeRaw`
    INSERT INTO workers (id, name, session_key, build)
    VALUES (${worker.id}::uuid, ${worker.name}, ${worker.sessionKey}, ${worker.build})`;
}

/** Says that a worker is alive, how much it has in hand, and what it measured of itself lately (numbers only). */
export async function beat(
  db: Db,
  workerId: string,
  inHand: number,
  figures: object = {},
): Promise<void> {
  await db.$executeRaw`
    UPDATE workers SET heartbeat_at = ledger_now(), in_hand = ${inHand}, figures = ${JSON.stringify(figures)}
    WHERE id = ${workerId}::uuid`;
}

/** Says that a worker has seen what the switches say now (BL-6). */
export async function seeControls(db: Db, workerId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE workers SET controls_seen_at = ledger_now() WHERE id = ${workerId}::uuid`;
}

/** Says that a worker takes nothing new (CL-7). */
export async function startDraining(db: Db, workerId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE workers SET draining_at = coalesce(draining_at, ledger_now()) WHERE id = ${workerId}::uuid`;
}

/** Says that a worker has ended by itself and holds nothing. */
export async function leaveWorker(db: Db, workerId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE workers SET stopped_at = ledger_now(), in_hand = 0 WHERE id = ${workerId}::uuid`;
}

/**
 * Gives back what a stopping worker holds without having sent anything (CL-7): its `claimed` operations return to
 * `scheduled`. What is under way is left to its own pass. Returns how many were given back.
 */
export async function releaseClaims(db: Database, workerId: string, name: string): Promise<number> {
  return db.$executeRaw`
    UPDATE operations
    SET state = 'scheduled', reason = 'released', lease_owner = NULL, lease_until = NULL,
      event_actor = ${`worker:${name}`}
    WHERE lease_owner = ${workerId}::uuid AND state = 'claimed'`;
}
