import { invariant } from "@/lib/domain/invariant";
import type { Observation } from "@/lib/domain/observation";
import { type ConnectionRow, loadConnection } from "@/lib/store/connections";
import { asTenant, type Tx } from "@/lib/store/db";
import {
  admitReadOrders,
  answerReadOrder,
  postponeReadOrder,
  type TakenReadOrder,
  takeReadOrders,
} from "@/lib/store/read-orders-taken";
import { storeReceipt } from "@/lib/store/receipts";
import { keepMirror } from "./keep-mirror";
import type { WorkerContext } from "./worker-context";

const BATCH = 20;

/** So often a read that an event ordered is tried before its answer is that there is none. */
const EVENT_TRIES_MAX = 5;

/** The pause before the second try; it doubles. Milliseconds. */
const EVENT_PAUSE_MS = 30_000;

/**
 * Makes the reads that pages and events wait for, within the read budget (PL-7): only the worker holds credentials
 * (PL-1). What does not fit stays queued until it does. Returns how many orders had their turn.
 */
export async function fulfilReads(context: WorkerContext): Promise<number> {
  const orders = await takeReadOrders(context.owner, BATCH);
  await Promise.all(byConnection(orders).map((group) => fulfilGroup(context, group)));
  return orders.length;
}

type Group = readonly [TakenReadOrder, ...TakenReadOrder[]];

function byConnection(orders: readonly TakenReadOrder[]): readonly Group[] {
  const groups = new Map<string, [TakenReadOrder, ...TakenReadOrder[]]>();
  for (const order of orders) {
    const group = groups.get(order.connectionId);
    if (group) group.push(order);
    else groups.set(order.connectionId, [order]);
  }
  return [...groups.values()];
}

async function fulfilGroup(context: WorkerContext, orders: Group): Promise<void> {
  const [{ tenantId, connectionId }] = orders;
  const { connection, admitted } = await asTenant(context.db, tenantId, async (tx) => {
    const ids = orders.map(({ id }) => id);
    return {
      connection: await loadConnection(tx, tenantId, connectionId),
      admitted: await admitReadOrders(tx, tenantId, connectionId, ids),
    };
  });
  invariant(connection, "a request has its connection");
  await Promise.all(
    orders.map(async (order) => {
      const takenAt = admitted.get(order.id);
      if (takenAt) await fulfil(context, connection, { ...order, takenAt });
    }),
  );
}

type AdmittedOrder = TakenReadOrder & { readonly takenAt: Date };

async function fulfil(
  context: WorkerContext,
  connection: ConnectionRow,
  order: AdmittedOrder,
): Promise<void> {
  const observation: Observation = order.platformRef
    ? await context
        .providerOf(connection)
        .readRequest(order.platformRef, { timeoutMs: connection.callTimeoutMs })
    : { kind: "not_found" };
  await asTenant(context.db, order.tenantId, (tx) => keep(tx, connection, order, observation));
}

async function keep(
  tx: Tx,
  connection: ConnectionRow,
  order: AdmittedOrder,
  observation: Observation,
): Promise<void> {
  const { tenantId, requestRef, takenAt } = order;
  const receiptId = await storeReceipt(tx, tenantId, {
    requestRef,
    connectionId: connection.id,
    opId: null,
    fence: null,
    purpose: "page",
    observation,
    startedAt: takenAt,
  });
  const [request] = observation.kind === "read" ? observation.matches : [];
  if (request) {
    await keepMirror(tx, tenantId, {
      requestRef,
      request,
      receiptId,
      startedAt: takenAt,
      descriptor: connection.descriptor,
      connectionName: connection.name,
      exceptOpId: null,
    });
  }
  const pause = pauseMs(order, observation);
  if (pause === null) await answerReadOrder(tx, tenantId, order.id, receiptId);
  else await postponeReadOrder(tx, tenantId, order.id, pause);
}

/** What an event ordered has nobody who would ask again: it is tried again by itself. Null for an answered order. */
function pauseMs({ orderedBy, tries }: AdmittedOrder, observation: Observation): number | null {
  if (observation.kind === "read" || observation.kind === "not_found") return null;
  if (!orderedBy.startsWith("platform:") || tries + 1 >= EVENT_TRIES_MAX) return null;
  const asked = observation.kind === "declined" ? (observation.retryAfterMs ?? 0) : 0;
  return Math.max(asked, EVENT_PAUSE_MS * 2 ** tries);
}
