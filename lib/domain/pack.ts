import { canonicalText, type JsonValue } from "./canonical";
import type { PackScope } from "./history-scope";

export const PACK_FORMAT = "deadline-ledger-evidence-pack";
export const PACK_FORM = 1;

/** One file in a pack. */
export interface PackedFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What a pack is, apart from its contents. `askedAt` is the only time in it that is not history. */
export interface PackHead {
  readonly id: string;
  readonly tenantId: string;
  readonly scope: PackScope;
  readonly askedBy: string;
  readonly askedAt: string;
}

export interface PackCounts {
  readonly operations: number;
  readonly entries: number;
}

/** The seal up to which everything in the pack is sealed; null before the first. */
export type NewestSeal = { readonly seq: number; readonly hash: string } | null;

/** The text of `manifest.json`. */
export function manifestText(
  head: PackHead,
  counts: PackCounts,
  newestSeal: NewestSeal,
  files: readonly PackedFile[],
): string {
  return canonicalText({
    format: PACK_FORMAT,
    form: PACK_FORM,
    pack: head.id,
    tenant: head.tenantId,
    scope: head.scope as unknown as JsonValue,
    asked_by: head.askedBy,
    asked_at: head.askedAt,
    operations: counts.operations,
    entries: counts.entries,
    newest_seal: newestSeal,
    files: files as unknown as JsonValue,
  });
}

/** The text of `README.txt`. */
export const PACK_README = `This is an evidence pack of Deadline Ledger. It holds references and digests, no contact details.

To check it, take verify.mjs out of it and run, with Node 20 or later and without any network:

    node verify.mjs pack.zip

summary.pdf     what the pack is about, to read
operations.jsonl  one operation per line: payloads, decisions, reads, calls, entries of its history
seals.jsonl     every seal of the tenant, with time stamps
proofs.jsonl    how the chains of the operations lie under the seals
manifest.json   the hash of every file
`;

/** Figures of a pack for its summary; counts by what stands in the key. */
export interface PackFacts extends PackCounts {
  readonly firstEntryAt: string | null;
  readonly lastEntryAt: string | null;
  readonly byKind: Readonly<Record<string, number>>;
  readonly byState: Readonly<Record<string, number>>;
  readonly approvals: number;
  readonly approvers: number;
  readonly reads: number;
  readonly sealed: number;
}

/** One operation as the summary lists it. */
export interface PackedOperation {
  readonly op: string;
  readonly kind: string;
  readonly request: string;
  readonly state: string;
  readonly reason: string;
  readonly changedAt: string;
}
