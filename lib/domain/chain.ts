import { z } from "zod";
import { parseStrictJson, sha256Hex } from "./canonical";

/** One row of `operation_events` as stored. `at` is UTC with microseconds, the same text as in the body. */
export interface ChainEntry {
  readonly seq: number;
  readonly kind: string;
  readonly fromState: string | null;
  readonly toState: string;
  readonly reason: string;
  readonly actor: string;
  readonly at: string;
  readonly body: string;
  readonly hash: string;
}

/** What the operation's own row says about its history. */
export interface ChainHead {
  readonly tenantId: string;
  readonly opId: string;
  readonly length: number;
  readonly hash: string;
}

export type ChainFault = "changed" | "missing" | "inserted" | "reordered";

export type ChainVerdict =
  | { readonly verified: true; readonly length: number; readonly hash: string }
  | {
      readonly verified: false;
      /** Place of the first entry that does not fit, counted from 1. */
      readonly seq: number;
      readonly fault: ChainFault;
      readonly detail: string;
    };

const Body = z.object({
  tenant: z.string(),
  op: z.string(),
  seq: z.number(),
  kind: z.string(),
  from: z.string().nullable(),
  to: z.string(),
  reason: z.string(),
  actor: z.string(),
  at: z.string(),
});
type Body = z.infer<typeof Body>;

/**
 * Recomputes the hash chain of one operation (SM-4). `entries` are all its rows, by `seq`. The verdict is about
 * the first entry that does not fit; what follows it was not looked at. A chain that fits proves that nothing was
 * changed after the head was written, not that the head is the one first written: that takes a seal.
 */
export function verifyChain(head: ChainHead, entries: readonly ChainEntry[]): ChainVerdict {
  for (const place of entries.keys()) {
    const found = faultAt(head, entries, place);
    if (found) return { verified: false, ...found };
  }
  const length = entries.length;
  if (length < head.length) return { verified: false, ...missing(length + 1) };
  if (length > head.length) {
    const seq = head.length + 1;
    return {
      verified: false,
      seq,
      fault: "inserted",
      detail: "an entry more than the head counts",
    };
  }
  const last = entries.at(-1)?.hash ?? "";
  if (last !== head.hash) {
    return { verified: false, ...changed(length, "the head names another last entry") };
  }
  return { verified: true, length, hash: last };
}

interface Found {
  readonly seq: number;
  readonly fault: ChainFault;
  readonly detail: string;
}

function changed(seq: number, detail: string): Found {
  return { seq, fault: "changed", detail };
}

function missing(seq: number): Found {
  return { seq, fault: "missing", detail: `entry ${seq} is not there` };
}

function faultAt(head: ChainHead, entries: readonly ChainEntry[], at: number): Found | null {
  const entry = entries[at];
  const seq = at + 1;
  if (!entry || entry.seq > seq) return missing(seq);
  if (entry.seq < seq) {
    return { seq, fault: "reordered", detail: `entry ${entry.seq} stands twice` };
  }
  const body = readBody(entry.body);
  if (!body) return changed(seq, "the body is not an entry");
  if (body.tenant !== head.tenantId || body.op !== head.opId) {
    return changed(seq, "the body belongs to another operation");
  }
  const previous = entries[at - 1] ?? null;
  const fits = follows(entry, previous);
  const found = body.seq === seq && fits ? null : misplaced(entries, at, body.seq);
  if (found) return found;
  const column = differingColumn(entry, body);
  if (column) return changed(seq, `${column} differs from the body`);
  if (body.from !== (previous?.toState ?? null)) {
    return changed(seq, "it does not begin where the entry before it ended");
  }
  return fits ? null : changed(seq, "the hash does not fit the body and the entry before it");
}

/** Whether the hash of an entry is the one that it has after this other one. */
function follows(entry: ChainEntry, previous: ChainEntry | null): boolean {
  return sha256Hex((previous?.hash ?? "") + entry.body) === entry.hash;
}

/** Tells an entry that was put in, taken out or moved from one that was changed where it stands; null for that. */
function misplaced(entries: readonly ChainEntry[], at: number, written: number): Found | null {
  const [entry, next] = [entries[at], entries[at + 1]];
  if (!entry) return null;
  if (at > 0 && follows(entry, entries[at - 2] ?? null)) {
    return { seq: at, fault: "inserted", detail: "the entries beside it fit without it" };
  }
  if (next && follows(next, entries[at - 1] ?? null) && !follows(entry, next)) {
    return { seq: at + 1, fault: "inserted", detail: "the entries beside it fit without it" };
  }
  if (written === at + 1) return null;
  if (entries.some(({ body }) => readBody(body)?.seq === at + 1)) {
    return { seq: at + 1, fault: "reordered", detail: `the body was written as entry ${written}` };
  }
  return missing(at + 1);
}

function readBody(text: string): Body | null {
  try {
    return Body.safeParse(parseStrictJson(text)).data ?? null;
  } catch {
    // A body that cannot be read is the finding itself.
    return null;
  }
}

function differingColumn(entry: ChainEntry, body: Body): string | null {
  const pairs: readonly (readonly [string, string | null, string | null])[] = [
    ["kind", entry.kind, body.kind],
    ["from", entry.fromState, body.from],
    ["to", entry.toState, body.to],
    ["reason", entry.reason, body.reason],
    ["actor", entry.actor, body.actor],
    ["time", entry.at, body.at],
  ];
  return pairs.find(([, column, inBody]) => column !== inBody)?.[0] ?? null;
}
