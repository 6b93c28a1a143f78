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

export type ChainVerdict =
  | { readonly verified: true; readonly length: number; readonly hash: string }
  | {
      readonly verified: false;
      /** Place of the first entry that does not fit, counted from 1. */
      readonly seq: number;
      readonly fault: "changed" | "missing" | "reordered";
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
  let previous: ChainEntry | null = null;
  for (const [place, entry] of entries.entries()) {
    const fault = faultOf(head, previous, entry, place + 1);
    if (fault) return { verified: false, seq: place + 1, ...fault };
    previous = entry;
  }
  const length = entries.length;
  if (length < head.length) return missing(length + 1);
  if (length > head.length) {
    return {
      verified: false,
      seq: head.length + 1,
      ...changed("an entry more than the head counts"),
    };
  }
  const last = previous?.hash ?? "";
  if (last !== head.hash) {
    return { verified: false, seq: length, ...changed("the head names another last entry") };
  }
  return { verified: true, length, hash: last };
}

type Fault = { readonly fault: "changed" | "missing" | "reordered"; readonly detail: string };

function changed(detail: string): Fault {
  return { fault: "changed", detail };
}

function missing(seq: number): ChainVerdict {
  return { verified: false, seq, fault: "missing", detail: `entry ${seq} is not there` };
}

function faultOf(
  head: ChainHead,
  previous: ChainEntry | null,
  entry: ChainEntry,
  place: number,
): Fault | null {
  if (entry.seq > place) return { fault: "missing", detail: `entry ${place} is not there` };
  if (entry.seq < place) return { fault: "reordered", detail: `entry ${entry.seq} stands twice` };
  const body = readBody(entry.body);
  if (!body) return changed("the body is not an entry");
  if (body.tenant !== head.tenantId || body.op !== head.opId) {
    return changed("the body belongs to another operation");
  }
  if (body.seq !== entry.seq) {
    return { fault: "reordered", detail: `the body was written as entry ${body.seq}` };
  }
  const column = differingColumn(entry, body);
  if (column) return changed(`${column} differs from the body`);
  if (body.from !== (previous?.toState ?? null)) {
    return changed("it does not begin where the entry before it ended");
  }
  if (sha256Hex((previous?.hash ?? "") + entry.body) !== entry.hash) {
    return changed("the hash does not fit the body and the entry before it");
  }
  return null;
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
