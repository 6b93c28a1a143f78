import { randomUUID } from "node:crypto";
import { Refusal } from "@/lib/domain/refusal";
import { SAVED_VIEWS_MAX, type SavedViewPage, viewQuery } from "@/lib/domain/saved-view";
import { asTenant, brokenConstraint } from "@/lib/store/db";
import * as store from "@/lib/store/saved-views";
import type { Actor, ConsoleContext } from "./context";

/** Keeps the filters of a list under a name, for this person only. Returns its id. Throws Refusal. */
export async function saveView(
  ctx: ConsoleContext,
  actor: Actor,
  view: { readonly page: SavedViewPage; readonly name: string; readonly query: string },
): Promise<{ readonly id: string }> {
  const id = randomUUID();
  await asTenant(ctx.db, actor.tenantId, async (tx) => {
    const own = await store.savedViews(tx, actor.tenantId, actor.id, view.page);
    if (own.length >= SAVED_VIEWS_MAX) {
      throw new Refusal("view_limit", { values: { n: SAVED_VIEWS_MAX } });
    }
    const added = await store.insertView(tx, {
      ...view,
      id,
      tenantId: actor.tenantId,
      accountId: actor.id,
      query: viewQuery(view.query),
    });
    if (!added) throw new Refusal("view_name_taken");
  });
  return { id };
}

/**
 * Renames a person's own view. Throws Refusal when it is not theirs or the name is taken, also by a rename or a new
 * view of another tab at the same moment.
 */
export async function renameView(
  ctx: ConsoleContext,
  actor: Actor,
  id: string,
  name: string,
): Promise<void> {
  const became = await asTenant(ctx.db, actor.tenantId, (tx) =>
    store.renameView(tx, actor.tenantId, actor.id, id, name),
  ).catch((error: unknown) => {
    if (brokenConstraint(error) === "saved_views_name_key") return "taken" as const;
    throw error;
  });
  if (became === "gone") throw new Refusal("not_found");
  if (became === "taken") throw new Refusal("view_name_taken");
}

/** Deletes a person's own view. Throws Refusal when there is none of theirs. */
export async function deleteView(ctx: ConsoleContext, actor: Actor, id: string): Promise<void> {
  const deleted = await asTenant(ctx.db, actor.tenantId, (tx) =>
    store.deleteView(tx, actor.tenantId, actor.id, id),
  );
  if (!deleted) throw new Refusal("not_found");
}
