import { Refusal } from "@/lib/domain/refusal";
import { requestToTry } from "@/lib/store/connections";
import { asTenant } from "@/lib/store/db";
import { insertReadOrder } from "@/lib/store/read-orders";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permit } from "./permit";

export interface ConnectionTest {
  readonly orderId: string;
  /** The request that is read. */
  readonly requestRef: string;
}

/**
 * Orders one read at the platform of a connection, to see whether it answers. A worker reads, because the console holds
 * no credential (PL-1); nothing is changed there. Throws Refusal `nothing_to_read` where the platform knows no request
 * of the connection, `not_found`, `not_permitted`.
 */
export async function testConnection(
  ctx: ConsoleContext,
  actor: Actor,
  connectionId: string,
): Promise<ConnectionTest> {
  permit(actor, "request.read");
  const { tenantId } = actor;
  return asTenant(ctx.db, tenantId, async (tx) => {
    const where = { tenantId_id: { tenantId, id: connectionId } };
    if (!(await tx.connection.findUnique({ where, select: { id: true } }))) {
      throw new Refusal("not_found");
    }
    const requestRef = await requestToTry(tx, tenantId, connectionId);
    if (requestRef === null) throw new Refusal("nothing_to_read");
    const order = { tenantId, requestRef, orderedBy: actorName(actor) };
    const orderId = await insertReadOrder(tx, order);
    if (orderId === null) throw new Refusal("not_found");
    return { orderId, requestRef };
  });
}
