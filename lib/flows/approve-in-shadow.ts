import { invariant } from "@/lib/domain/invariant";
import { ledgerNow, type Tx } from "@/lib/store/db";
import { modeOf } from "@/lib/store/modes";
import { endAsShadow, recordShadow, type ShadowedApproval } from "@/lib/store/shadow";
import type { Deciding } from "./approve";
import { actorName } from "./context";

/**
 * Ends an approved proposal of a kind in shadow mode and records what it would do, in the approving transaction
 * (GO-1). A proposal that was made in shadow mode stays one when the kind has gone live since. False for a live one;
 * nothing has changed then.
 */
export async function endedInShadow(
  tx: Tx,
  { actor, operation, request }: Deciding,
  approved: ShadowedApproval,
): Promise<boolean> {
  const { tenantId } = actor;
  const { opId, kind, opKey, requestRef, canonicalText, payloadHash } = operation;
  if (!opKey.startsWith("shadow/") && (await modeOf(tx, tenantId, kind)) !== "shadow") return false;
  const ended = await endAsShadow(tx, approved);
  invariant(ended, "a locked proposal is still the one that was judged");
  await recordShadow(tx, tenantId, {
    kind,
    requestRef,
    connectionId: request.connectionId,
    canonicalText,
    payloadHash,
    dueAt: await ledgerNow(tx),
    plannedBy: actorName(actor),
    approvedOpId: opId,
  });
  return true;
}
