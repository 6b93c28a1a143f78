import { randomUUID } from "node:crypto";
import { type PackScope, scopeText } from "@/lib/domain/history-scope";
import { Refusal } from "@/lib/domain/refusal";
import { recordControl } from "@/lib/store/control-events";
import { asTenant, type Tx } from "@/lib/store/db";
import { insertPack } from "@/lib/store/packs";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";

/**
 * Asks for an evidence pack (SM-6); a worker makes it. Returns its id. Throws Refusal `not_permitted`, and `not_found`
 * for a request or operation that is not there.
 */
export async function askPack(
  ctx: ConsoleContext,
  actor: Actor,
  scope: PackScope,
): Promise<{ readonly id: string }> {
  permitPerson(actor, "history.export");
  const { tenantId } = actor;
  const id = randomUUID();
  const askedBy = actorName(actor);
  await asTenant(ctx.db, tenantId, async (tx) => {
    if (!(await isThere(tx, tenantId, scope))) throw new Refusal("not_found");
    await insertPack(tx, tenantId, { id, scope: scopeText(scope), askedBy });
    const about = `history:pack:${id}`;
    await recordControl(tx, tenantId, {
      kind: "pack_asked",
      about,
      actor: askedBy,
      body: { scope },
    });
  });
  return { id };
}

async function isThere(tx: Tx, tenantId: string, scope: PackScope): Promise<boolean> {
  switch (scope.kind) {
    case "request":
      return (await tx.request.count({ where: { tenantId, ref: scope.ref } })) > 0;
    case "operation":
      return (await tx.operation.count({ where: { tenantId, opId: scope.op } })) > 0;
    case "period":
      return true;
  }
}
