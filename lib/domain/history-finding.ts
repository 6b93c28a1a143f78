import { sha256Hex } from "./canonical";
import { type ChainEntry, type ChainFault, verifyChain } from "./chain";
import type { SealLeaf } from "./seal";

/** One thing in the history that is not as it was written. */
export interface HistoryFinding {
  /** Null for a finding about a seal. */
  readonly opId: string | null;
  readonly entry: number | null;
  readonly sealSeq: number | null;
  readonly fault: ChainFault;
  readonly detail: string;
  readonly expected: string | null;
  readonly found: string | null;
}

export interface ChainFacts {
  readonly tenantId: string;
  readonly opId: string;
  /** The operation's own row; null when it is not there. */
  readonly head: {
    readonly length: number;
    readonly hash: string;
    readonly version: number;
    readonly payloadHash: string;
    readonly canonicalText: string;
  } | null;
  readonly entries: readonly ChainEntry[];
  /** In order of their seals. */
  readonly leaves: readonly (SealLeaf & { readonly sealSeq: number })[];
  readonly versions: readonly {
    readonly version: number;
    readonly canonicalText: string;
    readonly payloadHash: string;
  }[];
  /** True where retention closed the key long enough after the end: a payload that is `{}` then went by it (PV-5). */
  readonly payloadsMayBeGone: boolean;
  /** Complete seals in order. Times are UTC with microseconds, which sort as text. */
  readonly complete: readonly { readonly seq: number; readonly coveredUntil: string }[];
}

/** Names what does not fit in one operation's history (SM-4): its chain, its seals, its payloads. Empty when all fits. */
export function chainFindings(facts: ChainFacts): readonly HistoryFinding[] {
  const { head, entries } = facts;
  if (head === null) return [operationMissing(facts)];
  const { tenantId, opId } = facts;
  const verdict = verifyChain({ tenantId, opId, length: head.length, hash: head.hash }, entries);
  const payloads = payloadFindings(facts, head);
  if (!verdict.verified) {
    const { seq, fault, detail } = verdict;
    return [{ ...about(facts, seq), fault, detail, ...hashesAt(facts, seq) }, ...payloads];
  }
  const sealed = leafFinding(facts) ?? backdated(facts);
  return sealed ? [sealed, ...payloads] : payloads;
}

function about({ opId }: ChainFacts, entry: number | null) {
  return { opId, entry, sealSeq: null };
}

/** The hash that the newest seal names for this place, where it names one, and the one that is there. */
function hashesAt({ leaves, entries }: ChainFacts, seq: number) {
  const sealed = leaves.find(({ length }) => length === seq);
  return { expected: sealed?.head ?? null, found: entries[seq - 1]?.hash ?? null };
}

function operationMissing(facts: ChainFacts): HistoryFinding {
  const last = facts.leaves.at(-1);
  return {
    ...about(facts, null),
    sealSeq: last?.sealSeq ?? null,
    fault: "missing",
    detail: "the operation is not there",
    expected: last ? `${last.length} entries` : null,
    found: `${facts.entries.length} entries`,
  };
}

function leafFinding(facts: ChainFacts): HistoryFinding | null {
  const { leaves, entries } = facts;
  for (const { sealSeq, length, head } of leaves) {
    const entry = entries[length - 1];
    if (!entry) {
      const place = entries.length + 1;
      return {
        ...about(facts, place),
        sealSeq,
        fault: "missing",
        detail: `entry ${place} is not there, but was sealed`,
        expected: `${length} entries`,
        found: `${entries.length} entries`,
      };
    }
    if (entry.hash !== head) {
      return {
        ...about(facts, length),
        sealSeq,
        fault: "changed",
        detail: "the chain is not the one that was sealed",
        expected: head,
        found: entry.hash,
      };
    }
  }
  return null;
}

/** An entry dated before a complete seal that came under a later one, or under none, was not there then. */
function backdated(facts: ChainFacts): HistoryFinding | null {
  for (const entry of facts.entries) {
    const covering = facts.leaves.find(({ length }) => length >= entry.seq)?.sealSeq ?? Infinity;
    const before = facts.complete.findLast(({ seq }) => seq < covering);
    if (before && entry.at < before.coveredUntil) {
      return {
        ...about(facts, entry.seq),
        sealSeq: before.seq,
        fault: "inserted",
        detail: "it is dated before a seal that does not know it",
        expected: `not before ${before.coveredUntil}`,
        found: entry.at,
      };
    }
  }
  return null;
}

function payloadFindings(
  facts: ChainFacts,
  head: NonNullable<ChainFacts["head"]>,
): HistoryFinding[] {
  const { versions } = facts;
  const findings: HistoryFinding[] = [];
  const add = (fault: ChainFault, detail: string, expected: string | null, found: string | null) =>
    findings.push({ ...about(facts, null), fault, detail, expected, found });
  for (const { version, canonicalText, payloadHash } of versions) {
    const computed = sha256Hex(canonicalText);
    if (computed === payloadHash) continue;
    if (facts.payloadsMayBeGone && canonicalText === "{}") continue;
    add(
      "changed",
      `the payload of version ${version} does not fit its hash`,
      payloadHash,
      computed,
    );
  }
  const present = versions.find(({ version }) => version === head.version);
  if (!present) add("missing", `version ${head.version} of the payload is not there`, null, null);
  else if (
    present.payloadHash !== head.payloadHash ||
    present.canonicalText !== head.canonicalText
  ) {
    const { payloadHash } = present;
    add("changed", "the payload differs from its stored version", payloadHash, head.payloadHash);
  }
  for (const { seq, body } of facts.entries) {
    const named = payloadOf(body);
    const stored = versions.find(({ version }) => version === named?.version);
    if (!named || stored?.payloadHash === named.hash) continue;
    const detail = `entry ${seq} names another payload of version ${named.version}`;
    add(stored ? "changed" : "missing", detail, named.hash, stored?.payloadHash ?? null);
    break;
  }
  return findings;
}

function payloadOf(text: string): { readonly version: number; readonly hash: string } | null {
  try {
    const { version, payload_hash: hash } = JSON.parse(text) as Record<string, unknown>;
    return typeof version === "number" && typeof hash === "string" ? { version, hash } : null;
  } catch {
    // The chain's own finding says that this is no entry.
    return null;
  }
}

/** A finding that the database's own comparison made and that the look at the rows cannot explain. */
export function unexplained(opId: string): HistoryFinding {
  return {
    opId,
    entry: null,
    sealSeq: null,
    fault: "changed",
    detail: "the rows do not fit together",
    expected: null,
    found: null,
  };
}
