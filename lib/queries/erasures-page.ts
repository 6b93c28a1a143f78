import { type ErasureState, erasureState } from "@/lib/domain/erasure";
import { asTenant, type Database, ledgerNow, type Tx } from "@/lib/store/db";
import {
  openOperationsOfRequests,
  requestsOfSubject,
  signedRequestsOf,
} from "@/lib/store/erased-requests";
import { type ErasureEntry, newestErasures } from "@/lib/store/erasures";
import { personWithoutRole, userName, userNames } from "./hold-rows";
import { type Person, personsOf } from "./persons";

export interface ErasureRow {
  readonly id: string;
  readonly subjectRef: string;
  readonly askedAt: string;
  readonly askedBy: Person;
  readonly state: ErasureState;
  readonly decidedAt: string | null;
  readonly decidedBy: Person | null;
  /** Operations of the person's requests that are open now. */
  readonly openOperations: number;
}

export interface ErasuresPage {
  readonly now: string;
  readonly rows: readonly ErasureRow[];
}

const ROWS_MAX = 200;

/** The erasures of a tenant, the newest first (PV-3). */
export async function erasuresPage(
  db: Database,
  tenantId: string,
  { accountId }: { readonly accountId: string },
): Promise<ErasuresPage> {
  return asTenant(db, tenantId, async (tx) => {
    const now = (await ledgerNow(tx)).toISOString();
    const found = await newestErasures(tx, tenantId, ROWS_MAX);
    return { now, rows: await erasureRows(tx, tenantId, found, accountId) };
  });
}

/** Erasures with the people behind them, the check that followed and what is open. */
export async function erasureRows(
  tx: Tx,
  tenantId: string,
  found: readonly ErasureEntry[],
  accountId: string,
): Promise<readonly ErasureRow[]> {
  const names = found.flatMap(({ askedBy, decidedBy }) => userNames([askedBy, decidedBy]));
  const persons = await personsOf(tx, tenantId, names, accountId);
  const checks = await tx.historyCheck.findMany({
    where: { tenantId, id: { in: found.flatMap(({ checkId }) => checkId ?? []) } },
    select: { id: true, state: true },
  });
  const stateOf = new Map(checks.map(({ id, state }) => [id, { state }]));
  const rows: ErasureRow[] = [];
  for (const { id, subjectRef, askedAt, askedBy, state, decidedAt, decidedBy, checkId } of found) {
    // Few are open; of the others nobody needs more than what the person signs.
    const find = state === "asked" ? requestsOfSubject : signedRequestsOf;
    const requests = await find(tx, tenantId, subjectRef);
    const open = await openOperationsOfRequests(tx, tenantId, requests);
    rows.push({
      id,
      subjectRef,
      askedAt: askedAt.toISOString(),
      askedBy: persons.get(userName(askedBy)) ?? personWithoutRole(userName(askedBy)),
      state: erasureState(state, stateOf.get(checkId ?? "") ?? null),
      decidedAt: decidedAt?.toISOString() ?? null,
      decidedBy: (decidedBy && persons.get(userName(decidedBy))) || null,
      openOperations: open.length,
    });
  }
  return rows;
}
