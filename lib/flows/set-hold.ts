import { randomUUID } from "node:crypto";
import { Refusal } from "@/lib/domain/refusal";
import type { HoldScope } from "@/lib/domain/retention";
import { recordControl } from "@/lib/store/control-events";
import { asTenant } from "@/lib/store/db";
import { insertHold, isHoldable } from "@/lib/store/retention-holds";
import { storeText, textSubjectOf } from "@/lib/store/vault";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";
import { typedReason } from "./typed-reason";

export interface HoldWish {
  readonly scope: HoldScope;
  /** Our reference of the request, or the reference of the person. */
  readonly about: string;
  readonly reason: string;
}

/**
 * Holds all of a request, or of a person's requests, back from retention and erasure until somebody lifts it (PV-5).
 * Throws Refusal `not_permitted`, `reason_empty`, `personal_data`, `fields_unusable` for what the tenant does not have,
 * `hold_exists`.
 */
export async function setHold(
  ctx: ConsoleContext,
  actor: Actor,
  wish: HoldWish,
): Promise<{ readonly id: string }> {
  const person = permitPerson(actor, "retention.hold");
  const text = typedReason(wish.reason);
  const { scope, about } = wish;
  const { tenantId } = actor;
  const id = randomUUID();
  return asTenant(ctx.db, tenantId, async (tx) => {
    if (!(await isHoldable(tx, tenantId, scope, about))) {
      const sentence = `There is no ${scope === "request" ? "request" : "person"} of this reference.`;
      throw new Refusal("fields_unusable", { fields: [{ path: "about", sentence }] });
    }
    const vault = { tenantId, vaultKey: ctx.vaultKey };
    const reason = await storeText(tx, vault, textSubjectOf(tenantId, "privacy"), text);
    const hold = { id, scope, about, reason, setBy: person.accountId };
    if (!(await insertHold(tx, tenantId, hold))) throw new Refusal("hold_exists");
    await recordControl(tx, tenantId, {
      kind: "hold_set",
      about: `hold:${id}`,
      actor: actorName(actor),
      body: { scope, about, reason },
    });
    return { id };
  });
}
