import { randomUUID } from "node:crypto";
import { invariant } from "@/lib/domain/invariant";
import { firstRate } from "@/lib/domain/ramp";
import { Refusal } from "@/lib/domain/refusal";
import { type PreviewSeal, type ResumeGroup, sealOf } from "@/lib/domain/resume-preview";
import { INSTALLATION } from "@/lib/domain/switch-scope";
import { recordControl } from "@/lib/store/control-events";
import { asTenant, type Database, type Tx } from "@/lib/store/db";
import {
  activePauseOf,
  insertPause,
  lockPause,
  openPause,
  type PauseRow,
  recordResumeAsk,
} from "@/lib/store/pauses";
import { type PreviewRow, previewOf } from "@/lib/store/resume-preview";
import { startLimitOf } from "@/lib/store/start-limits";
import { storeText, textSubjectOf } from "@/lib/store/vault";
import { wakeWorkers } from "@/lib/store/workers-wake";
import { countsOf, settleHeld } from "./resume";
import { typedReason } from "./typed-reason";

/** What an operator of the installation works with: the schema's owner, who sees every tenant, and the vault's key. */
export interface InstallationContext {
  readonly owner: Database;
  readonly vaultKey: Buffer;
}

/** The name of an operator in history: whoever has the installation's command line. */
export function operatorName(name: string): string {
  if (!/^[a-z][a-z0-9-]{1,30}$/.test(name)) {
    throw new Error("An operator's name is 2 to 31 small letters, digits and hyphens.");
  }
  return `operator:${name}`;
}

/**
 * Stops new starts in every tenant (BL-6), for operators of the installation only. True when it was thrown now, false
 * when everything was stopped before. Throws Refusal `reason_empty` or `personal_data`.
 */
export async function pauseAll(
  { owner, vaultKey }: InstallationContext,
  by: string,
  reasonText: string,
): Promise<boolean> {
  const text = typedReason(reasonText);
  return asTenant(owner, INSTALLATION, async (tx) => {
    const scope = { tenantId: INSTALLATION, vaultKey };
    const reason = await storeText(tx, scope, textSubjectOf(INSTALLATION, "controls"), text);
    const id = randomUUID();
    const made = await insertPause(tx, INSTALLATION, {
      id,
      scope: { scope: "all" },
      reason,
      reviewAfterHours: 1,
      by,
    });
    if (made === null) return false;
    await recordControl(tx, INSTALLATION, {
      kind: "paused",
      about: `switch:${id}`,
      actor: by,
      body: { scope: "all", reason },
    });
    return true;
  });
}

export interface AllPreview {
  readonly seal: PreviewSeal;
  readonly groups: Record<ResumeGroup, number>;
}

/** Asks to open the switch over all tenants and tells what would happen. Throws Refusal `not_found` without one. */
export async function askResumeAll(
  { owner }: InstallationContext,
  by: string,
): Promise<AllPreview> {
  return asTenant(owner, INSTALLATION, async (tx) => {
    const { pause, rows } = await heldByAll(tx);
    const seal = sealOf([...rows.values()].flat());
    const perMinute = firstRate(await startLimitOf(tx, INSTALLATION, pause));
    await recordResumeAsk(tx, INSTALLATION, pause.id, { by, ...seal, perMinute });
    await recordControl(tx, INSTALLATION, {
      kind: "resume_asked",
      about: `switch:${pause.id}`,
      actor: by,
      body: { ...seal, per_minute: perMinute },
    });
    return { seal, groups: countsOf([...rows.values()].flat()) };
  });
}

/**
 * Opens the switch over all tenants after another operator asked, exactly as the preview with this hash said. Throws
 * Refusal `resume_not_asked`, `resume_same_person`, `preview_changed`, `not_found`.
 */
export async function resumeAll(
  { owner }: InstallationContext,
  by: string,
  hash: string,
): Promise<AllPreview> {
  return asTenant(owner, INSTALLATION, async (tx) => {
    const { pause, rows } = await heldByAll(tx);
    if (pause.resumeAskedBy === null) throw new Refusal("resume_not_asked");
    if (pause.resumeAskedBy === by) throw new Refusal("resume_same_person");
    const all = [...rows.values()].flat();
    const seal = sealOf(all);
    if (seal.hash !== hash) throw new Refusal("preview_changed");
    for (const [tenantId, held] of rows) await settleHeld(tx, tenantId, by, held);
    const groups = countsOf(all);
    const rampLimit = await startLimitOf(tx, INSTALLATION, pause);
    const rampTotal = groups.start;
    const opened = await openPause(tx, INSTALLATION, pause.id, { by, rampTotal, rampLimit });
    invariant(opened, "a locked switch that holds can be opened");
    await recordControl(tx, INSTALLATION, {
      kind: "resumed",
      about: `switch:${pause.id}`,
      actor: by,
      body: { ...seal, groups, asked_by: pause.resumeAskedBy },
    });
    await wakeWorkers(tx);
    return { seal, groups };
  });
}

/** The switch, locked, and what it holds: of two operators at once the second one finds what the first has made of it. */
async function heldByAll(
  tx: Tx,
): Promise<{ readonly pause: PauseRow; readonly rows: ReadonlyMap<string, PreviewRow[]> }> {
  const seen = await activePauseOf(tx, INSTALLATION, { scope: "all" });
  if (seen !== null) await lockPause(tx, INSTALLATION, seen.id);
  const pause = seen && (await activePauseOf(tx, INSTALLATION, { scope: "all" }));
  if (pause === null) throw new Refusal("not_found");
  const tenants = await tx.tenant.findMany({
    where: { id: { not: INSTALLATION } },
    select: { id: true },
    orderBy: { id: "asc" },
  });
  const rows = new Map<string, PreviewRow[]>();
  for (const { id } of tenants) rows.set(id, await previewOf(tx, id, pause));
  return { pause, rows };
}
