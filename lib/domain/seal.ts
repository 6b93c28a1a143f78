import { z } from "zod";
import { canonicalText, parseStrictJson, sha256Hex } from "./canonical";

/** The form of seals; a later one would say so in its body. */
export const SEAL_FORM = 1;

/** The head of one chain as a seal covers it. */
export interface SealLeaf {
  readonly opId: string;
  /** Number of entries. */
  readonly length: number;
  /** Hash of the last of them. */
  readonly head: string;
}

/** Everything that a seal says. Times are UTC with microseconds. */
export interface SealFacts {
  readonly tenantId: string;
  /** Counted from 1 within the tenant. */
  readonly seq: number;
  readonly madeAt: string;
  /** Every entry dated before this is under this seal or an earlier one, when it is complete. */
  readonly coveredUntil: string;
  /** False while more chains waited than one seal takes. */
  readonly complete: boolean;
  /** Chains under this seal itself. */
  readonly leaves: number;
  /** All chains and entries under this seal or an earlier one. */
  readonly chains: number;
  readonly entries: number;
  readonly root: string;
  /** Hash of the seal before it; empty for the first. */
  readonly previous: string;
}

/** The text of a leaf, over which its hash is taken. */
export function leafText({ opId, length, head }: SealLeaf): string {
  return canonicalText([opId, length, head]);
}

/** The canonical text of a seal. */
export function sealBody(facts: SealFacts): string {
  return canonicalText({
    form: SEAL_FORM,
    tenant: facts.tenantId,
    seq: facts.seq,
    made_at: facts.madeAt,
    covered_until: facts.coveredUntil,
    complete: facts.complete,
    leaves: facts.leaves,
    chains: facts.chains,
    entries: facts.entries,
    root: facts.root,
    previous: facts.previous,
  });
}

/** The hash of a seal: SHA-256 over its text. It is what the next seal names and what is time-stamped. */
export function sealHash(body: string): string {
  return sha256Hex(body);
}

const Body = z.strictObject({
  form: z.literal(SEAL_FORM),
  tenant: z.string(),
  seq: z.number(),
  made_at: z.string(),
  covered_until: z.string(),
  complete: z.boolean(),
  leaves: z.number(),
  chains: z.number(),
  entries: z.number(),
  root: z.string(),
  previous: z.string(),
});

/** A seal as stored. */
export interface StoredSeal extends SealFacts {
  readonly body: string;
  readonly hash: string;
}

export interface SealFault {
  readonly fault: "changed" | "missing";
  readonly detail: string;
  readonly expected: string;
  readonly found: string;
}

/**
 * What does not fit in one seal, without its leaves (SM-4); null when all does. `previous` is the seal before it as
 * stored, null for the first.
 */
export function sealFault(seal: StoredSeal, previous: StoredSeal | null): SealFault | null {
  const before = previous?.seq ?? 0;
  if (seal.seq !== before + 1) {
    const expected = String(before + 1);
    return { fault: "missing", detail: "a seal is not there", expected, found: String(seal.seq) };
  }
  const computed = sealHash(seal.body);
  if (computed !== seal.hash) {
    return changed("the hash of the seal does not fit its text", computed, seal.hash);
  }
  if (!fitsBody(seal)) return changed("a column of the seal differs from its text", seal.body, "");
  if (seal.previous !== (previous?.hash ?? "")) {
    return changed("the seal names another seal before it", previous?.hash ?? "", seal.previous);
  }
  return null;
}

function changed(detail: string, expected: string, found: string): SealFault {
  return { fault: "changed", detail, expected, found };
}

function fitsBody(seal: StoredSeal): boolean {
  try {
    const body = Body.safeParse(parseStrictJson(seal.body));
    return body.success && sealBody(seal) === seal.body;
  } catch {
    // A text that cannot be read is the finding itself.
    return false;
  }
}
