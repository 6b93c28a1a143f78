import { parseStrictJson } from "@/lib/domain/canonical";
import { differingFields } from "@/lib/domain/difference";
import { invariant } from "@/lib/domain/invariant";
import type { OperationState } from "@/lib/domain/operation";
import type { WrittenPayload } from "@/lib/domain/payload";
import { Refusal } from "@/lib/domain/refusal";
import type { Tx } from "@/lib/store/db";
import { type ProposalRow, versionsOf } from "@/lib/store/proposals";
import { isKeyClosed } from "@/lib/store/tombstones";

/** What proposing came to. */
export interface Proposed {
  readonly opId: string;
  readonly version: number;
  readonly state: OperationState;
  /** True when the operation was there already and nothing was added. */
  readonly duplicate: boolean;
}

/**
 * The answer to a key that is taken (ID-6): the same content is the operation that exists, also when it was edited
 * since. Throws Refusal `key_reused` for other content, which names the fields and the first operation's state and
 * no earlier value.
 */
export async function settleKey(
  tx: Tx,
  tenantId: string,
  existing: ProposalRow,
  asked: WrittenPayload,
): Promise<Proposed> {
  const versions = await versionsOf(tx, tenantId, existing.opId);
  if (versions.some(({ payloadHash }) => payloadHash === asked.hash)) return duplicateOf(existing);
  const first = versions[0];
  invariant(first, "every operation keeps its first version");
  const fields = differingFields(parseStrictJson(first.canonicalText), parseStrictJson(asked.text));
  throw new Refusal("key_reused", {
    values: { fields: fields.join(", "), op: existing.opId, state: existing.state },
    extensions: { differing: fields, op_id: existing.opId, state: existing.state },
  });
}

/** Throws Refusal `identity_retired` for a key whose operation's data were erased, or went when their time was over (ID-8). */
export async function refuseClosedKey(tx: Tx, tenantId: string, opKey: string): Promise<void> {
  if (await isKeyClosed(tx, tenantId, opKey)) throw new Refusal("identity_retired");
}

/** The operation that exists, as the answer to a proposal that adds nothing (ID-6, AP-4). */
export function duplicateOf({ opId, version, state }: ProposalRow): Proposed {
  return { opId, version, state, duplicate: true };
}
