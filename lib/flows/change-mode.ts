import { invariant } from "@/lib/domain/invariant";
import type { OperationKind } from "@/lib/domain/operation";
import { KIND_WORDS } from "@/lib/domain/payload-words";
import { Refusal } from "@/lib/domain/refusal";
import { MODE_WORDS } from "@/lib/domain/system-words";
import { newestControl, recordControl } from "@/lib/store/control-events";
import { asTenant, type Tx } from "@/lib/store/db";
import { lockMode, type Mode, modeOf, setMode } from "@/lib/store/modes";
import { releaseTimers } from "@/lib/store/shadow-released";
import { storeText, textSubjectOf } from "@/lib/store/vault";
import { wakeWorkers } from "@/lib/store/workers-wake";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";
import { typedReason } from "./typed-reason";

export interface ModeWish {
  readonly kind: OperationKind;
  readonly mode: Mode;
  readonly reason: string;
}

export interface ModeChanged {
  readonly kind: OperationKind;
  /** The mode that holds now. */
  readonly mode: Mode;
  /** Names the question that another person has to answer before the kind is live; null when nothing is open. */
  readonly askId: string | null;
}

/**
 * Changes the mode of a kind (GO-1). Off and shadow take effect at once; for live another person has to confirm.
 * Everything is recorded. Throws Refusal `mode_same`, `reason_empty`, `personal_data`, `not_permitted`.
 */
export async function changeMode(
  ctx: ConsoleContext,
  actor: Actor,
  wish: ModeWish,
): Promise<ModeChanged> {
  permitPerson(actor, "control.mode");
  const text = typedReason(wish.reason);
  const { tenantId } = actor;
  const { kind, mode } = wish;
  return asTenant(ctx.db, tenantId, async (tx) => {
    await lockMode(tx, tenantId, kind);
    const from = await modeOf(tx, tenantId, kind);
    if (from === mode) throw sameMode(kind, mode);
    const scope = { tenantId, vaultKey: ctx.vaultKey };
    const reason = await storeText(tx, scope, textSubjectOf(tenantId, "controls"), text);
    const by = actorName(actor);
    const asks = mode === "live";
    if (!asks) await setMode(tx, tenantId, kind, mode, by);
    const id = await recordControl(tx, tenantId, {
      kind: asks ? "mode_asked" : "mode_changed",
      about: `kind:${kind}`,
      actor: by,
      body: { from, to: mode, reason },
    });
    return { kind, mode: asks ? from : mode, askId: asks ? id : null };
  });
}

function sameMode(kind: OperationKind, mode: Mode): Refusal {
  const values = { kind: KIND_WORDS[kind].verb, mode: MODE_WORDS[mode].label.toLowerCase() };
  return new Refusal("mode_same", { values });
}

/**
 * Lets a kind reach the platform after another person asked for it (GO-1). Timers that were only recorded and are
 * still to come become operations in the same transaction. Throws Refusal `mode_not_asked`, `resume_same_person`.
 */
export async function confirmLive(
  ctx: ConsoleContext,
  actor: Actor,
  wish: { readonly kind: OperationKind; readonly askId: string },
): Promise<ModeChanged & { readonly released: number }> {
  permitPerson(actor, "control.mode");
  const { tenantId } = actor;
  const by = actorName(actor);
  return asTenant(ctx.db, tenantId, async (tx) => {
    const { kind } = wish;
    await lockMode(tx, tenantId, kind);
    const asked = await openAsk(tx, tenantId, kind);
    if (asked?.id !== wish.askId) throw new Refusal("mode_not_asked");
    if (asked.actor === by) throw new Refusal("resume_same_person");
    const from = await modeOf(tx, tenantId, kind);
    invariant(from !== "live", "a kind that is live has no open question");
    await setMode(tx, tenantId, kind, "live", by);
    const released = await releaseTimers(tx, tenantId, kind, by);
    await recordControl(tx, tenantId, {
      kind: "mode_changed",
      about: `kind:${kind}`,
      actor: by,
      body: { from, to: "live", asked_by: asked.actor, released },
    });
    await wakeWorkers(tx);
    return { kind, mode: "live", askId: null, released };
  });
}

/** The question whether a kind may go live, while nothing about the kind was changed since; null otherwise. */
async function openAsk(tx: Tx, tenantId: string, kind: OperationKind) {
  const newest = await newestControl(tx, tenantId, `kind:${kind}`, ["mode_asked", "mode_changed"]);
  return newest?.kind === "mode_asked" ? newest : null;
}
