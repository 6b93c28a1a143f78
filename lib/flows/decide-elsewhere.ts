import type { DecisionCode } from "@/lib/domain/decision";
import type { Matter } from "@/lib/domain/decision-matter";
import { Refusal } from "@/lib/domain/refusal";
import { asTenant } from "@/lib/store/db";
import { deadDeliveriesOf } from "@/lib/store/decision-deliveries";
import type { Actor, ConsoleContext } from "./context";
import { discard, replay } from "./replay-deliveries";
import { replayEvent } from "./replay-events";

/** True for options whose effect is an act of its own, with its own transaction and record. */
export function isActedElsewhere(option: DecisionCode): boolean {
  return option === "replay" || option === "close_without";
}

/**
 * Does what the decision asks for through the normal path: an event is applied again, dead deliveries go out again or
 * end without being sent (IN-8, OB-1). Throws Refusal as those acts do.
 */
export async function actElsewhere(
  ctx: ConsoleContext,
  actor: Actor,
  option: DecisionCode,
  { inboxId, subscriberId }: Matter,
  reason: string,
): Promise<void> {
  if (inboxId !== null && option === "replay") {
    await replayEvent(ctx, actor, inboxId);
    return;
  }
  if (subscriberId === null) throw new Refusal("decision_unknown");
  const dead = await asTenant(ctx.db, actor.tenantId, (tx) =>
    deadDeliveriesOf(tx, actor.tenantId, subscriberId),
  );
  if (option === "replay") {
    await replay(ctx, actor, dead);
    return;
  }
  for (const deliveryId of dead) await discard(ctx, actor, deliveryId, reason);
}
