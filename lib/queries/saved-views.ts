import type { SavedViewPage } from "@/lib/domain/saved-view";
import { asTenant, type Database } from "@/lib/store/db";
import { type SavedViewRow, savedViews } from "@/lib/store/saved-views";

/** The views that this person keeps on a page of the tenant, by name. */
export function savedViewsOf(
  db: Database,
  tenantId: string,
  accountId: string,
  page: SavedViewPage,
): Promise<readonly SavedViewRow[]> {
  return asTenant(db, tenantId, (tx) => savedViews(tx, tenantId, accountId, page));
}
