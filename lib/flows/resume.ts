import { invariant } from "@/lib/domain/invariant";
import { ownerFor } from "@/lib/domain/owner";
import { firstRate } from "@/lib/domain/ramp";
import { reasonWord } from "@/lib/domain/reason";
import { Refusal } from "@/lib/domain/refusal";
import { type PreviewSeal, RESUME_GROUPS, type ResumeGroup } from "@/lib/domain/resume-preview";
import { recordControl } from "@/lib/store/control-events";
import { asTenant, type Tx } from "@/lib/store/db";
import { openPause } from "@/lib/store/pauses";
import {
  endHeldReminders,
  type PreviewRow,
  reviewPassedDeadlines,
} from "@/lib/store/resume-preview";
import { startLimitOf } from "@/lib/store/start-limits";
import { wakeWorkers } from "@/lib/store/workers-wake";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { heldBySwitch } from "./held-by-switch";
import { permitPerson } from "./permit";

export interface Resumed {
  readonly pauseId: string;
  /** How many operations may start now, within the ramp. */
  readonly starting: number;
  readonly perMinute: number;
}

/**
 * Opens a switch after another person asked (BL-6): exactly what the preview said happens, in one transaction.
 * Operations whose deadline passed go to a person, reminders that are not sent any more end, the rest starts within
 * the ramp. Throws Refusal `resume_not_asked`, `resume_same_person`, `preview_changed`, `already_running`.
 */
export async function resume(
  ctx: ConsoleContext,
  actor: Actor,
  wish: { readonly pauseId: string; readonly seen: PreviewSeal },
): Promise<Resumed> {
  permitPerson(actor, "control.resume");
  const { tenantId } = actor;
  const by = actorName(actor);
  return asTenant(ctx.db, tenantId, async (tx) => {
    const { pause, rows, seal } = await heldBySwitch(tx, tenantId, wish.pauseId, wish.seen);
    if (pause.resumeAskedBy === null) throw new Refusal("resume_not_asked");
    if (pause.resumeAskedBy === by) throw new Refusal("resume_same_person");
    await settleHeld(tx, tenantId, by, rows);
    const starting = rows.filter(({ group }) => group === "start").length;
    const rampLimit = await startLimitOf(tx, tenantId, pause);
    const perMinute = pause.rampPerMinute ?? firstRate(rampLimit);
    const opened = await openPause(tx, tenantId, pause.id, { by, rampTotal: starting, rampLimit });
    invariant(opened, "a locked switch that holds can be opened");
    await recordControl(tx, tenantId, {
      kind: "resumed",
      about: `switch:${pause.id}`,
      actor: by,
      body: {
        ...seal,
        groups: countsOf(rows),
        asked_by: pause.resumeAskedBy,
        per_minute: perMinute,
      },
    });
    await wakeWorkers(tx);
    return { pauseId: pause.id, starting, perMinute };
  });
}

/** How many operations each group of a preview holds. */
export function countsOf(rows: readonly { group: ResumeGroup }[]): Record<ResumeGroup, number> {
  return Object.fromEntries(
    RESUME_GROUPS.map((group) => [group, rows.filter((row) => row.group === group).length]),
  ) as Record<ResumeGroup, number>;
}

/** What the preview says of operations that do not start. Throws `preview_changed` when one has moved on meanwhile. */
export async function settleHeld(
  tx: Tx,
  tenantId: string,
  by: string,
  rows: readonly PreviewRow[],
): Promise<void> {
  const passed = rows.filter(({ group }) => group === "deadline_passed");
  const reviewed = await reviewPassedDeadlines(tx, tenantId, by, passed.map(reviewOf));
  const past = idsOf(rows, "reminder_past");
  const ended = await endHeldReminders(tx, tenantId, by, "skipped_past_deadline", past);
  // Those that the sweep has joined already have ended; the rest ends here.
  await endHeldReminders(tx, tenantId, by, "collapsed_after_pause", idsOf(rows, "joined"));
  if (reviewed !== passed.length || ended !== past.length) throw new Refusal("preview_changed");
}

function idsOf(rows: readonly PreviewRow[], group: ResumeGroup): string[] {
  return rows.filter((row) => row.group === group).map(({ opId }) => opId);
}

function reviewOf({
  opId,
  clock,
  passedAt,
  proposedBy,
  requestOwner,
  connectionOwner,
}: PreviewRow) {
  const owner = ownerFor(reasonWord("deadline_passed_while_held").owner, {
    proposer: proposedBy.startsWith("user:") ? proposedBy.replace("user:", "account:") : null,
    approver: null,
    requestOwner,
    connectionOwner,
  });
  return { opId, owner, clock, at: passedAt?.toISOString() ?? null };
}
