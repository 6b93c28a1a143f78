import { type BulkResult, bulkResultOf, type DecisionOption } from "@/lib/domain/decision";
import type { DecisionFamily } from "@/lib/domain/decision-family";
import { decisionFactsOf, familyOfMatter } from "@/lib/domain/decision-matter";
import { decisionOptions } from "@/lib/domain/decision-options";
import { showsWords } from "@/lib/domain/decision-words";
import { reasonSentence } from "@/lib/domain/reason-sentence";
import { asTenant, type Database, ledgerNow, type Tx } from "@/lib/store/db";
import { loadMatter } from "@/lib/store/decision-matter";
import {
  type SelectedRow,
  type SelectionRow,
  selectedRows,
  selectionById,
} from "@/lib/store/decision-selections";
import { readForecast } from "@/lib/store/read-budget";
import type { DecisionViewer } from "./decision-view";
import { type Person, personsOf } from "./persons";

/** One item of a selection with what came of it. */
export interface SelectionItem {
  readonly itemId: string;
  readonly opId: string | null;
  readonly requestRef: string | null;
  readonly status: string;
  readonly decisionId: string | null;
  /** Null before the selection is decided. */
  readonly result: BulkResult | null;
  readonly outcome: string | null;
  /** What the read means instead, in one sentence. */
  readonly shows: string | null;
}

/** A frozen selection, its one decision and the progress of it (RV-3). */
export interface DecisionSelectionPage {
  readonly now: string;
  readonly id: string;
  readonly reason: string;
  readonly sentence: string;
  readonly kind: string | null;
  readonly count: number;
  readonly createdAt: string;
  readonly decidedAt: string | null;
  readonly decidedBy: Person | null;
  readonly stoppedAt: string | null;
  readonly option: SelectionRow["option"];
  readonly family: DecisionFamily;
  /** What the first item that is still open offers; each item is judged by its own read. */
  readonly options: readonly DecisionOption[];
  readonly results: Readonly<Record<BulkResult, number>>;
  /** True while a worker has something left to do. */
  readonly running: boolean;
  readonly readsNeeded: number;
  /** Reads that are left in this hour; null where no limit is known. */
  readonly readsLeft: number | null;
  readonly readsFreeAt: string | null;
  readonly items: readonly SelectionItem[];
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The page of one selection; null when the tenant has none of that id. */
export async function decisionSelectionPage(
  db: Database,
  tenantId: string,
  viewer: DecisionViewer,
  id: string,
): Promise<DecisionSelectionPage | null> {
  if (!UUID.test(id)) return null;
  return asTenant(db, tenantId, async (tx) => {
    const selection = await selectionById(tx, tenantId, id);
    if (selection === null) return null;
    const rows = await selectedRows(tx, tenantId, id);
    const items = rows.map((row) => itemOf(row, selection));
    const results = countsOf(items);
    return {
      now: (await ledgerNow(tx)).toISOString(),
      ...headOf(selection),
      decidedBy: await decidedBy(tx, tenantId, viewer, selection),
      ...(await offered(tx, tenantId, viewer, rows)),
      results,
      running: results.waiting > 0,
      ...(await readsOf(
        tx,
        tenantId,
        rows,
        selection.decidedAt === null ? rows.length : results.waiting,
      )),
      items,
    };
  });
}

function headOf(selection: SelectionRow) {
  const { id, reason, kind, count, option, createdAt, decidedAt, stoppedAt } = selection;
  return {
    id,
    reason,
    sentence: reasonSentence(reason, {}),
    kind,
    count,
    option,
    createdAt: createdAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
    stoppedAt: stoppedAt?.toISOString() ?? null,
  };
}

async function decidedBy(
  tx: Tx,
  tenantId: string,
  { accountId }: DecisionViewer,
  { decidedBy: by }: SelectionRow,
): Promise<Person | null> {
  if (by === null) return null;
  const persons = await personsOf(tx, tenantId, [`user:${by}`], accountId);
  return persons.get(`user:${by}`) ?? null;
}

function itemOf(row: SelectedRow, { decidedAt }: SelectionRow): SelectionItem {
  const { itemId, opId, requestRef, status, decisionId, outcome, shows } = row;
  return {
    itemId,
    opId,
    requestRef,
    status,
    decisionId,
    outcome,
    result: decidedAt === null ? null : bulkResultOf(outcome),
    shows: shows && showsWords(shows),
  };
}

function countsOf(items: readonly SelectionItem[]): Record<BulkResult, number> {
  const counts = { waiting: 0, proven: 0, not_proven: 0, not_attempted: 0 };
  for (const { result } of items) if (result !== null) counts[result] += 1;
  return counts;
}

async function offered(
  tx: Tx,
  tenantId: string,
  { role }: DecisionViewer,
  rows: readonly SelectedRow[],
): Promise<Pick<DecisionSelectionPage, "family" | "options">> {
  const open = rows.find(({ status }) => !status.startsWith("closed") && status !== "settled");
  const matter = await loadMatter(tx, tenantId, (open ?? rows[0])?.itemId ?? "");
  if (matter === null) return { family: "notice", options: [] };
  const options = open ? decisionOptions(decisionFactsOf(matter, role)) : [];
  return { family: familyOfMatter(matter), options };
}

async function readsOf(
  tx: Tx,
  tenantId: string,
  rows: readonly SelectedRow[],
  needed: number,
): Promise<Pick<DecisionSelectionPage, "readsNeeded" | "readsLeft" | "readsFreeAt">> {
  const item = await tx.reviewItem.findUnique({
    where: { tenantId_id: { tenantId, id: rows[0]?.itemId ?? "" } },
    select: { connectionId: true },
  });
  const forecast = (await readForecast(tx, tenantId)).find(
    ({ connectionId }) => connectionId === item?.connectionId,
  );
  const limit = forecast?.limit ?? null;
  return {
    readsNeeded: needed,
    readsLeft: limit === null ? null : Math.max(0, limit - (forecast?.used ?? 0)),
    readsFreeAt: forecast?.freeAt?.toISOString() ?? null,
  };
}
