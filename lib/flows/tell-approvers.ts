import { takeWaits, tenantsWithWaits, waitedFor } from "@/lib/store/approval-waits";
import { asTenant } from "@/lib/store/db";
import { queueNotice } from "./queue-notice";
import type { WorkerContext } from "./worker-context";

const TENANTS_AT_ONCE = 20;
const PROPOSALS_AT_ONCE = 1_000;

/**
 * Tells everybody whose approval is waited for (OB-2, AP-1): one message per person while something waits for that
 * person, with its count. Returns how many proposals were looked at.
 */
export async function tellApprovers(context: WorkerContext): Promise<number> {
  let looked = 0;
  for (const tenantId of await tenantsWithWaits(context.owner, TENANTS_AT_ONCE)) {
    looked += await asTenant(context.db, tenantId, async (tx) => {
      const opIds = await takeWaits(tx, tenantId, PROPOSALS_AT_ONCE);
      if (opIds.length === 0) return 0;
      for (const { accountId, count, losesAt } of await waitedFor(tx, tenantId, opIds)) {
        await queueNotice(tx, tenantId, {
          matter: "approval_waiting",
          audience: { account: accountId },
          kind: "approval_waiting",
          escalation: false,
          subject: {
            count,
            path: "/approvals?tab=mine",
            losesAt: losesAt?.toISOString() ?? null,
          },
        });
      }
      return opIds.length;
    });
  }
  return looked;
}
