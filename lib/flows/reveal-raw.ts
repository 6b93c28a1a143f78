import { Refusal } from "@/lib/domain/refusal";
import { asTenant } from "@/lib/store/db";
import { recordRawShown, sealedBodyOf } from "@/lib/store/inbox-replays";
import { storeText, textSubjectOf } from "@/lib/store/vault";
import { placeOf, unseal } from "@/lib/store/vault-cipher";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";
import { typedReason } from "./typed-reason";

export interface RawBody {
  /** `utf8` as text, anything else in base64. */
  readonly encoding: "utf8" | "base64";
  readonly body: string;
  /** SHA-256 of the bytes. */
  readonly sha256: string;
}

/**
 * Shows the raw body of one event and records who looked and why (IN-8, PV-3). Throws Refusal `not_permitted`,
 * `reason_empty`, `not_found` for an unknown event, and `raw_purged` once its retention has passed.
 */
export async function revealRaw(
  ctx: ConsoleContext,
  actor: Actor,
  wish: { readonly id: string; readonly reason: string },
): Promise<RawBody> {
  permitPerson(actor, "inbox.raw");
  const text = typedReason(wish.reason);
  const { tenantId } = actor;
  const { id } = wish;
  return asTenant(ctx.db, tenantId, async (tx) => {
    const sealed = await sealedBodyOf(tx, tenantId, id);
    if (!sealed) throw new Refusal("not_found");
    if (sealed.bodySealed === "") throw new Refusal("raw_purged");
    const scope = { tenantId, vaultKey: ctx.vaultKey };
    const reason = await storeText(tx, scope, textSubjectOf(tenantId, "inbox"), text);
    await recordRawShown(tx, tenantId, { inboxId: id, actor: actorName(actor), reason });
    const bytes = unseal(ctx.vaultKey, sealed.bodySealed, placeOf("inbox_events", tenantId, id));
    return { ...shownAs(bytes), sha256: sealed.bodyDigest };
  });
}

function shownAs(bytes: Buffer): Pick<RawBody, "encoding" | "body"> {
  const text = bytes.toString("utf8");
  return Buffer.from(text).equals(bytes)
    ? { encoding: "utf8", body: text }
    : { encoding: "base64", body: bytes.toString("base64") };
}
