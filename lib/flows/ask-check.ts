import { randomUUID } from "node:crypto";
import { type CheckScope, scopeText } from "@/lib/domain/history-scope";
import { recordControl } from "@/lib/store/control-events";
import { asTenant } from "@/lib/store/db";
import { insertCheck } from "@/lib/store/history-checks";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";

/** Asks for a check of the history (SM-4); a worker makes it. Returns its id. Throws Refusal `not_permitted`. */
export async function askCheck(
  ctx: ConsoleContext,
  actor: Actor,
  scope: CheckScope,
): Promise<{ readonly id: string }> {
  permitPerson(actor, "history.verify");
  const id = randomUUID();
  const askedBy = actorName(actor);
  await asTenant(ctx.db, actor.tenantId, async (tx) => {
    await insertCheck(tx, actor.tenantId, { id, scope: scopeText(scope), askedBy });
    await recordControl(tx, actor.tenantId, {
      kind: "check_asked",
      about: `history:check:${id}`,
      actor: askedBy,
      body: { scope },
    });
  });
  return { id };
}
