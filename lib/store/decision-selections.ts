import type { DecisionCode, DecisionOutcome } from "@/lib/domain/decision";
import type { Db, Tx } from "./db";
import type { VaultEntryRef } from "./vault";

/** A frozen list of items that are decided together. */
export interface SelectionRow {
  readonly id: string;
  readonly reason: string;
  readonly kind: string | null;
  readonly count: number;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly option: DecisionCode | null;
  readonly reasonRef: string | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly stoppedAt: Date | null;
}

/** What the chosen items have in common, and how many of them can still be decided. */
export interface SelectionCheck {
  readonly found: number;
  readonly open: number;
  readonly reasons: readonly string[];
  readonly kinds: readonly (string | null)[];
}

/** Looks at chosen items before they are frozen. */
export async function checkSelection(
  tx: Tx,
  tenantId: string,
  itemIds: readonly string[],
): Promise<SelectionCheck> {
  const [row] = await tx.$queryRaw<SelectionCheck[]>`
    SELECT count(*)::int AS found, count(*) FILTER (WHERE closed_at IS NULL AND settled_at IS NULL)::int AS open,
      coalesce(array_agg(DISTINCT reason), '{}') AS reasons, coalesce(array_agg(DISTINCT kind), '{}') AS kinds
    FROM review_items WHERE tenant_id = ${tenantId}::uuid AND id = ANY(${[...itemIds]}::uuid[])`;
  return row ?? { found: 0, open: 0, reasons: [], kinds: [] };
}

/** Freezes chosen items in the order of the list as one selection. */
export async function insertSelection(
  tx: Tx,
  selection: {
    readonly tenantId: string;
    readonly id: string;
    readonly reason: string;
    readonly kind: string | null;
    readonly by: string;
    readonly itemIds: readonly string[];
  },
): Promise<void> {
  const { tenantId, id, itemIds } = selection;
  await tx.$executeRaw`
    INSERT INTO review_selections (tenant_id, id, reason, kind, count, created_by)
    VALUES (${tenantId}::uuid, ${id}::uuid, ${selection.reason}, ${selection.kind}, ${itemIds.length},
      ${selection.by}::uuid)`;
  await tx.$executeRaw`
    INSERT INTO review_selection_items (tenant_id, selection_id, item_id, position)
    SELECT ${tenantId}::uuid, ${id}::uuid, chosen.id, chosen.place
    FROM unnest(${[...itemIds]}::uuid[]) WITH ORDINALITY AS chosen(id, place)`;
}

/** One selection; null when the tenant has none of that id. */
export async function selectionById(
  db: Db,
  tenantId: string,
  id: string,
): Promise<SelectionRow | null> {
  const row = await db.reviewSelection.findUnique({
    where: { tenantId_id: { tenantId, id } },
    select: {
      id: true,
      reason: true,
      kind: true,
      count: true,
      createdBy: true,
      createdAt: true,
      option: true,
      reasonRef: true,
      decidedBy: true,
      decidedAt: true,
      stoppedAt: true,
    },
  });
  return row as SelectionRow | null;
}

/** Writes the one decision of a selection; false when it has one already. */
export async function decideSelection(
  tx: Tx,
  tenantId: string,
  id: string,
  decision: {
    readonly option: DecisionCode;
    readonly by: string;
    readonly reason: VaultEntryRef;
  },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE review_selections
    SET option = ${decision.option}, decided_by = ${decision.by}::uuid, decided_at = ledger_now(),
      reason_ref = ${decision.reason.ref}::uuid, reason_digest = ${decision.reason.digest}
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid AND option IS NULL`;
  return count === 1;
}

/** Stops a selection that was decided: what no worker has taken yet is not attempted. Returns how many. */
export async function stopSelection(
  tx: Tx,
  tenantId: string,
  id: string,
  by: string,
): Promise<number> {
  await tx.$executeRaw`
    UPDATE review_selections SET stopped_at = ledger_now(), stopped_by = ${by}::uuid
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid AND decided_at IS NOT NULL AND stopped_at IS NULL`;
  return tx.$executeRaw`
    UPDATE decisions SET outcome = 'stopped', ended_at = ledger_now()
    WHERE tenant_id = ${tenantId}::uuid AND selection_id = ${id}::uuid AND outcome = 'reading' AND taken_at IS NULL`;
}

/** The ids of a selection's items in their order. */
export async function selectedItems(
  db: Db,
  tenantId: string,
  id: string,
): Promise<readonly string[]> {
  const rows = await db.reviewSelectionItem.findMany({
    where: { tenantId, selectionId: id },
    orderBy: { position: "asc" },
    select: { itemId: true },
  });
  return rows.map(({ itemId }) => itemId);
}

/** One item of a selection with what came of its decision. */
export interface SelectedRow {
  readonly itemId: string;
  readonly position: number;
  readonly opId: string | null;
  readonly requestRef: string | null;
  readonly status: string;
  readonly decisionId: string | null;
  readonly outcome: DecisionOutcome | null;
  readonly shows: string | null;
}

/** All items of a selection in their order, each with its decision of this selection. */
export async function selectedRows(
  db: Db,
  tenantId: string,
  id: string,
): Promise<readonly SelectedRow[]> {
  return db.$queryRaw<SelectedRow[]>`
    SELECT s.item_id AS "itemId", s.position, i.op_id AS "opId", i.request_ref AS "requestRef", i.status,
      d.id AS "decisionId", d.outcome, d.shows
    FROM review_selection_items s
    JOIN review_items i ON i.tenant_id = s.tenant_id AND i.id = s.item_id
    LEFT JOIN decisions d ON d.tenant_id = s.tenant_id AND d.selection_id = s.selection_id AND d.item_id = s.item_id
    WHERE s.tenant_id = ${tenantId}::uuid AND s.selection_id = ${id}::uuid
    ORDER BY s.position`;
}
