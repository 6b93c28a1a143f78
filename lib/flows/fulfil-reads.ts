import { invariant } from "@/lib/domain/invariant";
import type { Observation } from "@/lib/domain/observation";
import { loadConnection } from "@/lib/store/connections";
import { asTenant } from "@/lib/store/db";
import {
  answerReadOrder,
  type TakenReadOrder,
  takeReadOrders,
} from "@/lib/store/read-orders-taken";
import { storeReceipt } from "@/lib/store/receipts";
import { keepMirror } from "./keep-mirror";
import type { WorkerContext } from "./worker-context";

const BATCH = 20;

/** Makes the reads that pages wait for: only the worker holds credentials (PL-1). Returns how many. */
export async function fulfilReads(context: WorkerContext): Promise<number> {
  const orders = await takeReadOrders(context.owner, BATCH);
  await Promise.all(orders.map((order) => fulfil(context, order)));
  return orders.length;
}

async function fulfil(context: WorkerContext, order: TakenReadOrder): Promise<void> {
  const connection = await asTenant(context.db, order.tenantId, (tx) =>
    loadConnection(tx, order.tenantId, order.connectionId),
  );
  invariant(connection, "a request has its connection");
  const observation: Observation = order.platformRef
    ? await context
        .providerOf(connection)
        .readRequest(order.platformRef, { timeoutMs: connection.callTimeoutMs })
    : { kind: "not_found" };
  await asTenant(context.db, order.tenantId, async (tx) => {
    const receiptId = await storeReceipt(tx, order.tenantId, {
      requestRef: order.requestRef,
      connectionId: order.connectionId,
      opId: null,
      fence: null,
      purpose: "page",
      observation,
      startedAt: order.takenAt,
    });
    const [request] = observation.kind === "read" ? observation.matches : [];
    if (request) {
      await keepMirror(tx, order.tenantId, {
        requestRef: order.requestRef,
        request,
        receiptId,
        startedAt: order.takenAt,
        descriptor: connection.descriptor,
        connectionName: connection.name,
        exceptOpId: null,
      });
    }
    await answerReadOrder(tx, order.tenantId, order.id, receiptId);
  });
}
