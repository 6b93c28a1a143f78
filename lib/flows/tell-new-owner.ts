import { consequenceAt } from "@/lib/domain/consequence";
import type { Tx } from "@/lib/store/db";
import type { ItemInQueue } from "@/lib/store/review-life";
import { queueNotice } from "./queue-notice";

/** Tells somebody of an item that another person gave to them. */
export async function tellNewOwner(
  tx: Tx,
  tenantId: string,
  item: ItemInQueue,
  owner: string,
): Promise<void> {
  const { id, reason, connectionId, consequence, losesAt } = item;
  await queueNotice(tx, tenantId, {
    matter: ["review_opened", owner, reason, connectionId ?? "none"].join(" "),
    audience: { owner },
    kind: "review_opened",
    escalation: false,
    subject: {
      reason,
      consequence: consequenceAt(consequence),
      count: 1,
      path: `/reviews/${id}`,
      losesAt: losesAt?.toISOString() ?? null,
    },
  });
}
