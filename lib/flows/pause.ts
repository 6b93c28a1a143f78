import { randomUUID } from "node:crypto";
import { invariant } from "@/lib/domain/invariant";
import {
  REVIEW_AFTER_HOURS,
  type ReviewAfter,
  scopeKey,
  type TenantScope,
} from "@/lib/domain/switch-scope";
import { recordControl } from "@/lib/store/control-events";
import { asTenant, type Tx } from "@/lib/store/db";
import { activePauseOf, endRampsOf, insertPause } from "@/lib/store/pauses";
import { storeText, textSubjectOf } from "@/lib/store/vault";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";
import { nameOfScope } from "./switch-scope";
import { typedReason } from "./typed-reason";

export interface PauseWish {
  readonly scope: TenantScope;
  readonly reason: string;
  /** When to ask whether it is still needed; null for never. */
  readonly reviewAfter: ReviewAfter | null;
}

export interface Paused {
  readonly pauseId: string;
  /** RFC 3339 in UTC. */
  readonly pausedAt: string;
  /** True when the scope was held before and nothing was added. */
  readonly already: boolean;
}

/**
 * Stops new starts within a scope (BL-6). One person suffices; it holds from the commit on, in the very statement
 * that would let a call leave. A second pause of the scope is answered with the first. Throws Refusal `reason_empty`,
 * `personal_data`, `not_found`, `not_permitted`.
 */
export async function pause(ctx: ConsoleContext, actor: Actor, wish: PauseWish): Promise<Paused> {
  permitPerson(actor, "control.pause");
  const text = typedReason(wish.reason);
  const { tenantId } = actor;
  return asTenant(ctx.db, tenantId, async (tx) => {
    await nameOfScope(tx, tenantId, wish.scope);
    const reason = await storeText(
      tx,
      { tenantId, vaultKey: ctx.vaultKey },
      textSubjectOf(tenantId, "controls"),
      text,
    );
    const id = randomUUID();
    const by = actorName(actor);
    const { scope } = wish;
    const reviewAfterHours = wish.reviewAfter && REVIEW_AFTER_HOURS[wish.reviewAfter];
    const made = await insertPause(tx, tenantId, { id, scope, reason, reviewAfterHours, by });
    if (made === null) return existing(tx, tenantId, scope);
    await endRampsOf(tx, tenantId, scopeKey(scope));
    await recordControl(tx, tenantId, {
      kind: "paused",
      about: `switch:${id}`,
      actor: by,
      body: { ...scope, reason, review_after_hours: reviewAfterHours },
    });
    return { pauseId: id, pausedAt: made.pausedAt.toISOString(), already: false };
  });
}

async function existing(tx: Tx, tenantId: string, scope: TenantScope): Promise<Paused> {
  const found = await activePauseOf(tx, tenantId, scope);
  invariant(found, "a scope that cannot be paused twice is paused");
  return { pauseId: found.id, pausedAt: found.pausedAt.toISOString(), already: true };
}
