import { firstRate } from "@/lib/domain/ramp";
import type { PreviewSeal } from "@/lib/domain/resume-preview";
import { recordControl } from "@/lib/store/control-events";
import { asTenant } from "@/lib/store/db";
import { recordResumeAsk } from "@/lib/store/pauses";
import { startLimitOf } from "@/lib/store/start-limits";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { heldBySwitch } from "./held-by-switch";
import { permitPerson } from "./permit";

export interface ResumeAsk {
  readonly pauseId: string;
  /** The preview that was on screen. */
  readonly seen: PreviewSeal;
  /** Starts per minute at first; a tenth of the limit when null. */
  readonly perMinute: number | null;
}

export interface ResumeAsked {
  readonly pauseId: string;
  /** False when another person had asked already; then nothing changed. */
  readonly byYou: boolean;
  readonly perMinute: number;
}

/**
 * Asks to open a switch; another person opens it (BL-6). Asking again renews one's own question; another person's
 * stands. Throws Refusal `preview_changed`, `already_running`, `not_found`, `not_permitted`.
 */
export async function askResume(
  ctx: ConsoleContext,
  actor: Actor,
  ask: ResumeAsk,
): Promise<ResumeAsked> {
  permitPerson(actor, "control.resume");
  const { tenantId } = actor;
  const by = actorName(actor);
  return asTenant(ctx.db, tenantId, async (tx) => {
    const { pause, seal } = await heldBySwitch(tx, tenantId, ask.pauseId, ask.seen);
    const limit = await startLimitOf(tx, tenantId, pause);
    if (pause.resumeAskedBy !== null && pause.resumeAskedBy !== by) {
      const perMinute = pause.rampPerMinute ?? firstRate(limit);
      return { pauseId: pause.id, byYou: false, perMinute };
    }
    const perMinute = Math.min(ask.perMinute ?? firstRate(limit), limit);
    await recordResumeAsk(tx, tenantId, pause.id, { by, ...seal, perMinute });
    await recordControl(tx, tenantId, {
      kind: "resume_asked",
      about: `switch:${pause.id}`,
      actor: by,
      body: { ...seal, per_minute: perMinute },
    });
    return { pauseId: pause.id, byYou: true, perMinute };
  });
}
