import type { Tx } from "@/lib/store/db";
import { storeText, textSubjectOf, type VaultEntryRef } from "@/lib/store/vault";
import type { ConsoleContext } from "./context";

/**
 * Keeps what a person typed about an item in the vault, under the request that it is about, so that it is erased with
 * what else was said of that (SM-3, PV-3). The history holds its digest only.
 */
export function keepItemNote(
  tx: Tx,
  { vaultKey }: Pick<ConsoleContext, "vaultKey">,
  tenantId: string,
  item: { readonly requestRef: string | null },
  text: string,
): Promise<VaultEntryRef> {
  const subject = textSubjectOf(tenantId, item.requestRef ?? "reviews");
  return storeText(tx, { tenantId, vaultKey }, subject, text);
}
