import { asTenant, type Database, ledgerNow } from "@/lib/store/db";
import { type MemberRow, type MemberViewer, memberRows } from "./member-rows";

export interface MembersPage {
  readonly now: string;
  readonly members: readonly MemberRow[];
}

/** Everybody who has access to the tenant, with what hangs on each (PV-1). */
export async function membersPage(
  db: Database,
  tenantId: string,
  viewer: MemberViewer,
): Promise<MembersPage> {
  return asTenant(db, tenantId, async (tx) => ({
    now: (await ledgerNow(tx)).toISOString(),
    members: await memberRows(tx, tenantId, viewer, null),
  }));
}
