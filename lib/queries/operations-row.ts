import { DEFAULT_BOUNDS } from "@/lib/domain/bounds";
import type { OperationKind, OperationState } from "@/lib/domain/operation";
import { type SentenceFacts, shortSentence } from "@/lib/domain/operation-sentence";
import { Prisma } from "@/lib/store/prisma/client";
import { payloadOf, targetText } from "./payload-target";

export interface OperationRow {
  readonly opId: string;
  readonly kind: OperationKind;
  readonly requestRef: string;
  readonly zone: string;
  readonly state: OperationState;
  readonly reason: string;
  readonly dueAt: string;
  readonly changedAt: string;
  readonly unknownSince: string | null;
  readonly nextLookAt: string | null;
  readonly attempts: number;
  readonly owner: string | null;
  /** Name of the worker that holds the lease. */
  readonly worker: string | null;
  readonly connection: string;
  /** Where it stands and why, in one sentence. */
  readonly sentence: string;
}

export interface FoundRow {
  op_id: string;
  kind: OperationKind;
  request_ref: string;
  zone: string;
  state: OperationState;
  reason: string;
  due_at: Date;
  changed_at: Date;
  unknown_since: Date | null;
  next_look_at: Date | null;
  attempts: number;
  owner: string | null;
  worker: string | null;
  connection: string;
  call_timeout_ms: number;
  approval_expires_at: Date | null;
  looks: number;
  successor_op_id: string | null;
  platform_ref: string | null;
  canonical_text: string;
  read_at: Date | null;
  read_status: string | null;
  read_expires_at: Date | null;
  read_matches: number | null;
  place: string[];
}

export const COLUMNS = Prisma.sql`o.op_id, o.kind, o.request_ref, r.zone, o.state, o.reason, o.due_at, o.changed_at,
  o.unknown_since, o.next_look_at, o.attempts, o.owner, w.name AS worker, c.name AS connection, c.call_timeout_ms,
  o.approval_expires_at, o.looks, o.successor_op_id, o.platform_ref, o.canonical_text, last.started_at AS read_at,
  last.status AS read_status, last.expires_at AS read_expires_at, last.matches AS read_matches`;

export const TABLES = Prisma.sql`FROM operations o
  JOIN requests r ON r.tenant_id = o.tenant_id AND r.ref = o.request_ref
  JOIN connections c ON c.tenant_id = o.tenant_id AND c.id = o.connection_id
  LEFT JOIN workers w ON w.id = o.lease_owner
  LEFT JOIN LATERAL (SELECT n.started_at, n.status, n.expires_at, n.matches FROM read_receipts n
    WHERE n.tenant_id = o.tenant_id AND n.op_id = o.op_id ORDER BY n.started_at DESC LIMIT 1) last ON true`;

/** A found row as the console and the API show it; `now` is the server's time, RFC 3339. */
export function rowOf(row: FoundRow, now: string): OperationRow {
  return {
    opId: row.op_id,
    kind: row.kind,
    requestRef: row.request_ref,
    zone: row.zone,
    state: row.state,
    reason: row.reason,
    dueAt: row.due_at.toISOString(),
    changedAt: row.changed_at.toISOString(),
    unknownSince: row.unknown_since?.toISOString() ?? null,
    nextLookAt: row.next_look_at?.toISOString() ?? null,
    attempts: row.attempts,
    owner: row.owner,
    worker: row.worker,
    connection: row.connection,
    sentence: shortSentence(sentenceFacts(row, now)),
  };
}

function sentenceFacts(row: FoundRow, now: string): SentenceFacts {
  const payload = payloadOf(row.canonical_text);
  const expected = payload !== null && "expected" in payload ? payload.expected : null;
  return {
    state: row.state,
    reason: row.reason,
    zone: row.zone,
    attempts: row.attempts,
    attemptsMax: DEFAULT_BOUNDS.attemptsMax,
    looks: row.looks,
    looksMax: DEFAULT_BOUNDS.looksMax,
    callTimeoutMs: row.call_timeout_ms,
    unknownSince: row.unknown_since?.toISOString() ?? null,
    unknownToldAfterMs: DEFAULT_BOUNDS.unknownToldAfterMs,
    nextLookAt: row.next_look_at?.toISOString() ?? null,
    approvalExpiresAt: row.approval_expires_at?.toISOString() ?? null,
    dueAt: row.due_at.toISOString(),
    owner: row.owner,
    successorOpId: row.successor_op_id,
    platformRef: row.platform_ref,
    target: targetText(row.canonical_text),
    expected: expected?.expires_at ?? null,
    expectedStatus: expected?.status ?? null,
    lastRead: lastReadOf(row),
    now,
  };
}

function lastReadOf(row: FoundRow): SentenceFacts["lastRead"] {
  if (row.read_at === null) return null;
  return {
    at: row.read_at.toISOString(),
    status: row.read_status,
    expiresAt: row.read_expires_at?.toISOString() ?? null,
    matches: row.read_matches ?? 0,
  };
}
