import {
  beat,
  enterWorker,
  leaveWorker,
  releaseClaims,
  seeControls,
  startDraining,
  type WorkerIdentity,
} from "@/lib/store/workers";
import type { WorkerContext } from "./worker-context";

/** Enters this process into the list of workers. */
export function beginWorker(context: WorkerContext, identity: WorkerIdentity): Promise<void> {
  return enterWorker(context.owner, identity);
}

/** One heartbeat, with the number of passes under way and what the worker measured of itself (CL-6, OP-2). */
export function keepAlive(
  context: WorkerContext,
  inHand: number,
  figures: object = {},
): Promise<void> {
  return beat(context.owner, context.worker.id, inHand, figures);
}

/**
 * Says that this worker has seen the switches, modes and limits as they are now (BL-6). They hold without it, since
 * every claim and every intent reads them; this is for whoever threw a switch. Returns 0: there is nothing to go on with.
 */
export async function confirmControls(context: WorkerContext): Promise<number> {
  await seeControls(context.owner, context.worker.id);
  return 0;
}

/** Says that this worker takes nothing new. */
export function beginDraining(context: WorkerContext): Promise<void> {
  return startDraining(context.owner, context.worker.id);
}

/** Gives back what was claimed and not sent, and leaves the list (CL-7). Returns how many were given back. */
export async function endWorker(context: WorkerContext): Promise<number> {
  const { id, name } = context.worker;
  const released = await releaseClaims(context.owner, id, name);
  await leaveWorker(context.owner, id);
  return released;
}
