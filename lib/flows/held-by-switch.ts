import { Refusal } from "@/lib/domain/refusal";
import { type PreviewSeal, sealOf } from "@/lib/domain/resume-preview";
import type { Tx } from "@/lib/store/db";
import { lockPause, type PauseRow, pauseById } from "@/lib/store/pauses";
import { type PreviewRow, previewOf } from "@/lib/store/resume-preview";

/** A closed switch, locked, with what would become of what it holds. */
export interface HeldBySwitch {
  readonly pause: PauseRow;
  readonly rows: readonly PreviewRow[];
  readonly seal: PreviewSeal;
}

/**
 * Locks a switch that still holds and makes its preview anew. Throws Refusal `not_found`; `already_running` when it
 * was opened; `preview_changed` when the preview is not the one that was on screen (BL-6).
 */
export async function heldBySwitch(
  tx: Tx,
  tenantId: string,
  pauseId: string,
  seen: PreviewSeal,
): Promise<HeldBySwitch> {
  if (!(await lockPause(tx, tenantId, pauseId))) throw new Refusal("not_found");
  const pause = await pauseById(tx, tenantId, pauseId);
  if (pause === null) throw new Refusal("not_found");
  if (pause.resumedAt !== null) {
    const moment = pause.resumedAt.toISOString();
    throw new Refusal("already_running", { values: { moment }, extensions: { since: moment } });
  }
  const rows = await previewOf(tx, tenantId, pause);
  const seal = sealOf(rows);
  if (seal.hash !== seen.hash || seal.count !== seen.count) {
    const n = seal.count - seen.count;
    throw new Refusal("preview_changed", {
      values: { n: n > 0 ? n : null },
      extensions: { count: seal.count, hash: seal.hash },
    });
  }
  return { pause, rows, seal };
}
