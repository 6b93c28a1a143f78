import type { Tx } from "./db";

export interface SavedViewRow {
  readonly id: string;
  readonly name: string;
  readonly query: string;
}

/** The views of one person on one page, by name. */
export async function savedViews(
  tx: Tx,
  tenantId: string,
  accountId: string,
  page: string,
): Promise<SavedViewRow[]> {
  return tx.savedView.findMany({
    where: { tenantId, accountId, page },
    orderBy: { name: "asc" },
    select: { id: true, name: true, query: true },
  });
}

/** Adds a view. False when the person has one of that name on that page. */
export async function insertView(
  tx: Tx,
  view: SavedViewRow & {
    readonly tenantId: string;
    readonly accountId: string;
    readonly page: string;
  },
): Promise<boolean> {
  const added = await tx.$executeRaw`
    INSERT INTO saved_views (tenant_id, id, account_id, page, name, query)
    VALUES (${view.tenantId}::uuid, ${view.id}::uuid, ${view.accountId}::uuid, ${view.page}, ${view.name},
      ${view.query})
    ON CONFLICT DO NOTHING`;
  return added === 1;
}

/**
 * Gives a person's own view another name. `taken` when another view of the page has that name; `gone` when the person
 * has no such view.
 */
export async function renameView(
  tx: Tx,
  tenantId: string,
  accountId: string,
  id: string,
  name: string,
): Promise<"renamed" | "taken" | "gone"> {
  const [row] = await tx.$queryRaw<{ taken: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM saved_views o WHERE o.tenant_id = v.tenant_id AND o.account_id = v.account_id
      AND o.page = v.page AND lower(o.name) = lower(${name}) AND o.id <> v.id) AS taken
    FROM saved_views v
    WHERE v.tenant_id = ${tenantId}::uuid AND v.account_id = ${accountId}::uuid AND v.id = ${id}::uuid
    FOR UPDATE`;
  if (!row) return "gone";
  if (row.taken) return "taken";
  await tx.$executeRaw`
    UPDATE saved_views SET name = ${name} WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid`;
  return "renamed";
}

/** Deletes a person's own view. False when there is none of that id. */
export async function deleteView(
  tx: Tx,
  tenantId: string,
  accountId: string,
  id: string,
): Promise<boolean> {
  const { count } = await tx.savedView.deleteMany({ where: { tenantId, accountId, id } });
  return count === 1;
}
