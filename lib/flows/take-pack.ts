import { Refusal } from "@/lib/domain/refusal";
import { recordControl } from "@/lib/store/control-events";
import { asTenant } from "@/lib/store/db";
import { chunkOf } from "@/lib/store/packs";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";

/** The file of a ready pack. */
export interface PackFile {
  readonly name: string;
  readonly bytes: number;
  readonly content: AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/**
 * Gives out the file of a pack piece by piece and records who took it. Throws Refusal `not_permitted`, and `not_found`
 * for a pack that is not there or not ready, and `pack_removed` once its time was over (PV-5).
 */
export async function takePackFile(
  ctx: ConsoleContext,
  actor: Actor,
  id: string,
): Promise<PackFile> {
  permitPerson(actor, "history.export");
  const { tenantId } = actor;
  return asTenant(ctx.db, tenantId, async (tx) => {
    const pack = await tx.pack.findFirst({ where: { tenantId, id, state: "ready" } });
    if (!pack) throw new Refusal("not_found");
    if (pack.removedAt !== null) throw new Refusal("pack_removed");
    await recordControl(tx, tenantId, {
      kind: "pack_taken",
      about: `history:pack:${id}`,
      actor: actorName(actor),
      body: { sha256: pack.sha256 },
    });
    return {
      name: `evidence-pack-${id.slice(0, 8)}.zip`,
      bytes: Number(pack.bytes),
      content: chunks(ctx, tenantId, id),
    };
  });
}

async function* chunks(ctx: ConsoleContext, tenantId: string, id: string) {
  for (let place = 0; ; place += 1) {
    const chunk = await asTenant(ctx.db, tenantId, (tx) => chunkOf(tx, tenantId, id, place));
    if (chunk === null) return;
    yield chunk;
  }
}
