import { asTenant } from "@/lib/store/db";
import { touchMembership } from "@/lib/store/memberships";
import { touchSession } from "@/lib/store/sessions";
import type { ConsoleContext } from "./context";

/** Whether that is worth telling, by what the request read anyway. */
export interface SeenBefore {
  readonly tenantId: string;
  readonly accountId: string;
  readonly sessionId: string;
  /** True when membership or session was last seen longer ago than a few minutes. */
  readonly isOld: boolean;
}

/** Notes that somebody was here, so that admins see who still uses their access. Costs nothing while it is recent. */
export async function noteSeen(ctx: ConsoleContext, seen: SeenBefore): Promise<void> {
  if (!seen.isOld) return;
  const { tenantId, accountId, sessionId } = seen;
  await asTenant(ctx.db, tenantId, (tx) => touchMembership(tx, tenantId, accountId));
  await touchSession(ctx.db, sessionId);
}
