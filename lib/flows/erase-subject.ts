import { type Destroyed, traceWords } from "@/lib/domain/erasure";
import type { Tx } from "@/lib/store/db";
import { markContactErased } from "@/lib/store/erased-requests";
import {
  contactsOf,
  emptyBodiesOf,
  emptyBodiesWith,
  emptyTextsWith,
} from "@/lib/store/erased-traces";
import { freshKeys, textSubjectOf, type VaultScope } from "@/lib/store/vault";
import {
  destroySubjectKeys,
  emptyEntries,
  recordVaultRead,
  replaceSubjectKeys,
} from "@/lib/store/vault-rows";

/**
 * Destroys everything that the ledger holds of a person, in the caller's transaction (PV-3): their keys and contact
 * details; all texts of their requests, which may name them, with the keys that made their digests; raw bodies of
 * events about those requests; and any other text or body that holds their address or name. References, digests and
 * hashes stay. Texts typed later about these requests get new keys. Returns how much it destroyed.
 */
export async function eraseSubject(
  tx: Tx,
  scope: VaultScope,
  subjectRef: string,
  requestRefs: readonly string[],
  actor: string,
): Promise<Destroyed> {
  const { tenantId } = scope;
  await recordVaultRead(tx, { tenantId, subjectRef, purpose: "erasure", actor });
  const words = traceWords(await contactsOf(tx, scope, subjectRef));
  const own = await destroySubjectKeys(tx, tenantId, subjectRef);
  const contacts = await emptyEntries(tx, tenantId, [subjectRef], "contact");
  // Why somebody looked at them.
  const ownTexts = await emptyEntries(tx, tenantId, [subjectRef], "text");
  const { keys, texts } = await eraseTexts(tx, scope, requestRefs);
  const otherTexts = words.length === 0 ? 0 : await emptyTextsWith(tx, scope, words);
  const bodies = await emptyBodiesOf(tx, tenantId, requestRefs);
  const otherBodies = words.length === 0 ? 0 : await emptyBodiesWith(tx, scope, words);
  await markContactErased(tx, tenantId, requestRefs);
  return {
    keys: keys + Number(own),
    contacts,
    texts: ownTexts + texts + otherTexts,
    bodies: bodies + otherBodies,
  };
}

/**
 * Destroys the texts of requests and the keys that sealed them and made their digests; new keys take their place for
 * what is typed later. Returns how many keys and texts went.
 */
export async function eraseTexts(
  tx: Tx,
  scope: VaultScope,
  requestRefs: readonly string[],
): Promise<{ readonly keys: number; readonly texts: number }> {
  const subjects = requestRefs.map((ref) => textSubjectOf(scope.tenantId, ref));
  const texts = await emptyEntries(tx, scope.tenantId, subjects, "text");
  let keys = 0;
  for (const subject of subjects) {
    const fresh = freshKeys(scope, subject);
    if (await replaceSubjectKeys(tx, scope.tenantId, subject, fresh)) keys += 1;
  }
  return { keys, texts };
}
