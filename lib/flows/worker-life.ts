import {
  beat,
  enterWorker,
  leaveWorker,
  releaseClaims,
  startDraining,
  type WorkerIdentity,
} from "@/lib/store/workers";
import type { WorkerContext } from "./worker-context";

/** Enters this process into the list of workers. */
export function beginWorker(context: WorkerContext, identity: WorkerIdentity): Promise<void> {
  return enterWorker(context.owner, identity);
}

/** One heartbeat, with the number of passes under way (CL-6). */
export function keepAlive(context: WorkerContext, inHand: number): Promise<void> {
  return beat(context.owner, context.worker.id, inHand);
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
