import { type Destroyed, erasureState } from "@/lib/domain/erasure";
import { type Role, roleMay } from "@/lib/domain/role";
import { asTenant, type Database, ledgerNow, type Tx } from "@/lib/store/db";
import {
  type OpenOperation,
  openOperationsOfRequests,
  requestsOfSubject,
} from "@/lib/store/erased-requests";
import { wouldDestroy } from "@/lib/store/erasure-preview";
import { type ErasureEntry, erasureById } from "@/lib/store/erasures";
import { holdsOn } from "@/lib/store/retention-holds";
import { resolveShownText, type VaultScope } from "@/lib/store/vault";
import { type ErasureRow, erasureRows } from "./erasures-page";
import { type HoldRow, holdRows } from "./hold-rows";

export interface ErasureView extends ErasureRow {
  readonly now: string;
  /** As they were typed; null where there is none or it was erased. */
  readonly reason: string | null;
  readonly refusalReason: string | null;
  /** The requests that the person has part in. */
  readonly requests: readonly { readonly ref: string; readonly ended: boolean }[];
  /** Operations of those requests that are open now, with the item by which a person has each. */
  readonly operations: readonly OpenOperation[];
  /** What a confirmation would destroy, before texts elsewhere that name the person; null once it was decided. */
  readonly willDestroy: Destroyed | null;
  readonly destroyed: Destroyed | null;
  /** What stands in the way. */
  readonly holds: readonly HoldRow[];
  readonly mayConfirm: boolean;
  readonly mayRefuse: boolean;
  readonly erasedAt: string | null;
  /** The check of the history that followed; null before it. */
  readonly check: {
    readonly id: string;
    readonly state: string;
    readonly finishedAt: string | null;
    readonly findings: number;
  } | null;
  /** Until when backups made before may still hold the key; null where nothing was erased. */
  readonly backupsUntil: string | null;
}

export interface ErasureViewer {
  readonly accountId: string;
  readonly role: Role | null;
  readonly vaultKey: Buffer;
  /** How long this installation keeps backups of its database. */
  readonly backupDays: number;
}

/** Where the installation says nothing of its backups. */
export const DEFAULT_BACKUP_DAYS = 35;

const DAY_MS = 86_400_000;

/** One erasure with what it destroys, what stands in its way and what followed; null when there is none of that id. */
export async function erasurePage(
  db: Database,
  tenantId: string,
  viewer: ErasureViewer,
  id: string,
): Promise<ErasureView | null> {
  return asTenant(db, tenantId, async (tx) => {
    const erasure = await erasureById(tx, tenantId, id);
    if (erasure === null) return null;
    const [row] = await erasureRows(tx, tenantId, [erasure], viewer.accountId);
    if (!row) return null;
    return viewOf(tx, { tenantId, vaultKey: viewer.vaultKey }, viewer, erasure, row);
  });
}

async function viewOf(
  tx: Tx,
  scope: VaultScope,
  viewer: ErasureViewer,
  erasure: ErasureEntry,
  row: ErasureRow,
): Promise<ErasureView> {
  const { tenantId } = scope;
  const { subjectRef, state, decidedAt, destroyed } = erasure;
  const refs = await requestsOfSubject(tx, tenantId, subjectRef);
  const asked = state === "asked";
  const holds = asked ? await holdsOn(tx, tenantId, subjectRef, refs) : [];
  const decides = asked && viewer.role !== null && roleMay(viewer.role, "erasure.confirm");
  const check = await checkOf(tx, tenantId, erasure.checkId);
  const erasedAt = state === "confirmed" && decidedAt !== null ? decidedAt : null;
  return {
    ...row,
    now: (await ledgerNow(tx)).toISOString(),
    reason: await shown(tx, scope, viewer, erasure.reasonRef),
    refusalReason: await shown(tx, scope, viewer, erasure.refusalRef),
    requests: await requestsOf(tx, tenantId, refs),
    operations: await openOperationsOfRequests(tx, tenantId, refs),
    willDestroy: asked ? await wouldDestroy(tx, tenantId, subjectRef, refs) : null,
    destroyed: destroyed === null ? null : (JSON.parse(destroyed) as Destroyed),
    holds: await holdRows(tx, scope, holds, viewer.accountId),
    mayConfirm: decides && erasure.askedBy !== viewer.accountId && holds.length === 0,
    mayRefuse: decides,
    erasedAt: erasedAt?.toISOString() ?? null,
    // By the check as it stands here: it may have ended since the row was read.
    state: erasureState(state, check),
    check,
    backupsUntil:
      erasedAt === null
        ? null
        : new Date(erasedAt.getTime() + viewer.backupDays * DAY_MS).toISOString(),
  };
}

async function shown(
  tx: Tx,
  scope: VaultScope,
  { accountId }: ErasureViewer,
  ref: string | null,
): Promise<string | null> {
  if (ref === null) return null;
  const found = await resolveShownText(tx, scope, ref, "erasure_page", `user:${accountId}`);
  return found?.text ?? null;
}

async function requestsOf(tx: Tx, tenantId: string, refs: readonly string[]) {
  const rows = await tx.request.findMany({
    where: { tenantId, ref: { in: [...refs] } },
    orderBy: { ref: "asc" },
    select: { ref: true, mirrorTerminal: true },
  });
  return rows.map(({ ref, mirrorTerminal }) => ({ ref, ended: mirrorTerminal }));
}

async function checkOf(tx: Tx, tenantId: string, id: string | null): Promise<ErasureView["check"]> {
  if (id === null) return null;
  const check = await tx.historyCheck.findUnique({
    where: { tenantId_id: { tenantId, id } },
    select: { id: true, state: true, finishedAt: true, findings: true },
  });
  return check && { ...check, finishedAt: check.finishedAt?.toISOString() ?? null };
}
