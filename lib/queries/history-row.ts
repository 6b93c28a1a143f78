import type { OperationKind, OperationState } from "@/lib/domain/operation";
import { Prisma } from "@/lib/store/prisma/client";
import type { Person } from "./persons";

/** What the platform showed in one read. */
export interface HistoryRead {
  readonly id: string;
  readonly at: string;
  readonly status: string | null;
  readonly expiresAt: string | null;
}

export interface HistoryRow {
  /** Place in the list, which also identifies it. */
  readonly id: string;
  readonly at: string;
  readonly who: Person;
  /** First characters of the account's or program's id: people appear as references. */
  readonly reference: string | null;
  /** Set for an entry of an operation's history. */
  readonly operation: {
    readonly opId: string;
    readonly seq: number;
    readonly kind: OperationKind;
    readonly requestRef: string;
    readonly zone: string;
    /** `transition` for a move, otherwise what was noted beside it. */
    readonly entry: string;
    readonly from: OperationState | null;
    readonly to: OperationState;
    readonly version: number | null;
    readonly hash: string;
    readonly previousHash: string | null;
    /** The newest read before and after the operation's call; null where there is none yet. */
    readonly before: HistoryRead | null;
    readonly after: HistoryRead | null;
  } | null;
  /** Reason code of a move, or what an operator did. */
  readonly action: string;
  /** `switch:<id>`, `subject:<ref>`, …; null for an operation's entry. */
  readonly about: string | null;
  readonly reason: string | null;
}

/** A row of either source as it is found. */
export interface FoundEntry {
  readonly micros: bigint;
  readonly at: Date;
  readonly id: string;
  readonly seq: number;
  readonly actor: string;
  readonly action: string;
  readonly about: string | null;
  readonly reason: string | null;
  readonly op_kind: OperationKind | null;
  readonly request_ref: string | null;
  readonly zone: string | null;
  readonly entry: string | null;
  readonly from_state: OperationState | null;
  readonly to_state: OperationState | null;
  readonly version: number | null;
  readonly hash: string | null;
  readonly previous_hash: string | null;
  readonly before_id: string | null;
  readonly before_at: Date | null;
  readonly before_status: string | null;
  readonly before_expires_at: Date | null;
  readonly after_id: string | null;
  readonly after_at: Date | null;
  readonly after_status: string | null;
  readonly after_expires_at: Date | null;
}

/** Of a shown row `s`: microseconds since 1970, which a timestamp holds exactly and a Date does not. */
export const MICROS = Prisma.sql`(extract(epoch FROM s.at) * 1000000)::bigint AS micros`;

/** Where a row stands in the list. */
export function placeOfEntry({ micros, id, seq }: FoundEntry): string {
  return `${micros}_${id}_${seq}`;
}

/** A row for the console, with who it was as the console may show it. */
export function historyRow(found: FoundEntry, persons: ReadonlyMap<string, Person>): HistoryRow {
  const who = persons.get(found.actor) ?? {
    name: found.actor,
    role: null,
    mark: "system",
    you: false,
  };
  return {
    id: placeOfEntry(found),
    at: found.at.toISOString(),
    who,
    reference: /^(?:user|key):([0-9a-f]{8})/.exec(found.actor)?.[1] ?? null,
    operation: operationOf(found),
    action: found.action,
    about: found.about,
    reason: found.reason,
  };
}

function operationOf(found: FoundEntry): HistoryRow["operation"] {
  const { op_kind: kind, request_ref: requestRef, to_state: to, hash } = found;
  if (kind === null || requestRef === null || to === null || hash === null) return null;
  return {
    opId: found.id,
    seq: found.seq,
    kind,
    requestRef,
    zone: found.zone ?? "UTC",
    entry: found.entry ?? "transition",
    from: found.from_state,
    to,
    version: found.version,
    hash,
    previousHash: found.previous_hash,
    before: readOf(found.before_id, found.before_at, found.before_status, found.before_expires_at),
    after: readOf(found.after_id, found.after_at, found.after_status, found.after_expires_at),
  };
}

function readOf(
  id: string | null,
  at: Date | null,
  status: string | null,
  expiresAt: Date | null,
): HistoryRead | null {
  if (id === null || at === null) return null;
  return { id, at: at.toISOString(), status, expiresAt: expiresAt?.toISOString() ?? null };
}
