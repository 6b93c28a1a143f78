import { randomUUID } from "node:crypto";
import { proposeSend } from "@/lib/flows/propose-send";
import { letters } from "./tenants";
import { approveNow, type ShopTenant, type Workshop, wishOf } from "./workshop";

/** A send, to one signer unless more are given, that one person proposed and another approved. */
export async function anApprovedSend(
  { ledger }: Workshop,
  tenant: ShopTenant,
  expiresAt: string,
  signers = [{ name: "Pat Example", email: "pat@sign.invalid", role: "signer", order: 1 }],
): Promise<{ readonly opId: string; readonly ref: string }> {
  const ref = `req_${letters()}`;
  const { opId } = await proposeSend(ledger.ctx, tenant.proposer, {
    approvalId: randomUUID(),
    requestRef: ref,
    connectionId: tenant.connectionId,
    documents: [{ digest: "d".repeat(64), version: 1 }],
    signers,
    title: "A contract",
    ...wishOf(expiresAt),
    reminders: { owner: "application", intervalDays: null },
  });
  await approveNow({ ledger }, tenant, opId, null);
  return { opId, ref };
}
