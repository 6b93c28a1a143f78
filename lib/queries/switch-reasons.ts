import { reasonSentence } from "@/lib/domain/reason-sentence";
import type { Tx } from "@/lib/store/db";
import { resolveText } from "@/lib/store/vault";

/** A reason never changes, and every open page asks for it every two seconds: one reading of the vault is enough. */
const OPENED = new Map<string, string>();
const OPENED_MAX = 500;

/** Why a switch was thrown, as the person typed it or as the ledger's own reason says it; null where it was erased. */
export async function switchReason(
  tx: Tx,
  scope: { readonly tenantId: string; readonly vaultKey: Buffer },
  pause: { readonly reasonEntry: string | null; readonly reasonCode: string | null },
): Promise<string | null> {
  const { reasonEntry, reasonCode } = pause;
  if (reasonEntry === null) {
    return reasonCode === null ? null : reasonSentence(reasonCode);
  }
  const key = `${scope.tenantId} ${reasonEntry}`;
  const known = OPENED.get(key);
  if (known !== undefined) return known;
  const found = await resolveText(tx, scope, reasonEntry, "switch_shown", "system:console");
  if (found === null) return null;
  if (OPENED.size >= OPENED_MAX) OPENED.clear();
  OPENED.set(key, found.text);
  return found.text;
}
