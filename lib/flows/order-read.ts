import { Refusal } from "@/lib/domain/refusal";
import { asTenant } from "@/lib/store/db";
import { insertReadOrder, readOrderById, receiptOutcome } from "@/lib/store/read-orders";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permit } from "./permit";

/**
 * Orders a read of a request at its platform: the console holds no credentials, a worker reads (PL-1). Orders that
 * nobody has taken yet are shared. Returns the order's id. Throws Refusal `not_found`.
 */
export async function orderRead(
  ctx: ConsoleContext,
  actor: Actor,
  requestRef: string,
): Promise<string> {
  permit(actor, "request.read");
  const { tenantId } = actor;
  const orderId = await asTenant(ctx.db, tenantId, (tx) =>
    insertReadOrder(tx, { tenantId, requestRef, orderedBy: actorName(actor) }),
  );
  if (orderId === null) throw new Refusal("not_found");
  return orderId;
}

export interface ReadOrder {
  readonly orderId: string;
  readonly requestRef: string;
  readonly orderedAt: string;
  /** Null while no worker has taken it. */
  readonly takenAt: string | null;
  /** When the read budget has room for it (PL-7); null when it is next, taken or answered. */
  readonly possibleAt: string | null;
  /** Null while there is no answer. */
  readonly receiptId: string | null;
  /** What the read came to: read, not_found, declined or unreadable; null while there is no answer. */
  readonly outcome: string | null;
}

/** Where an ordered read stands; instants are RFC 3339 in UTC. Throws Refusal `not_found`. */
export async function readOrder(
  ctx: ConsoleContext,
  actor: Actor,
  orderId: string,
): Promise<ReadOrder> {
  permit(actor, "ledger.view");
  const { tenantId } = actor;
  return asTenant(ctx.db, tenantId, async (tx) => {
    const row = await readOrderById(tx, tenantId, orderId);
    if (!row) throw new Refusal("not_found");
    const { requestRef, orderedAt, takenAt, possibleAt, receiptId } = row;
    return {
      orderId,
      requestRef,
      orderedAt: orderedAt.toISOString(),
      takenAt: takenAt?.toISOString() ?? null,
      possibleAt: possibleAt?.toISOString() ?? null,
      receiptId,
      outcome: receiptId && (await receiptOutcome(tx, tenantId, receiptId)),
    };
  });
}
