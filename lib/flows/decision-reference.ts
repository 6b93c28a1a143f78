import type { Matter } from "@/lib/domain/decision-matter";
import { observationOfReceipt } from "@/lib/domain/receipt-observation";
import { Refusal } from "@/lib/domain/refusal";
import type { Tx } from "@/lib/store/db";
import { newestReceiptOf } from "@/lib/store/decision-receipts";

/**
 * Throws Refusal when a request beside the kept one carries a signature and its reference was not typed: a void of it
 * is never proposed by a click alone (C-11). Judged by the newest read; the worker looks again.
 */
export async function refuseSignedExtras(
  tx: Tx,
  tenantId: string,
  matter: Matter,
  {
    kept,
    voidsTyped = [],
  }: { readonly kept?: string | null; readonly voidsTyped?: readonly string[] },
): Promise<void> {
  const receipt = await newestReceiptOf(tx, tenantId, matter);
  const seen = receipt && observationOfReceipt(receipt);
  const matches = seen?.kind === "read" ? seen.matches : [];
  const signed = matches.find(
    ({ platformRef, signedCount }) =>
      signedCount > 0 && platformRef !== kept && !voidsTyped.includes(platformRef),
  );
  if (signed) {
    throw new Refusal("reference_signed", {
      values: { ref: signed.platformRef },
      fields: [{ path: "voidsTyped", sentence: "Type the reference of the signed one." }],
    });
  }
}
