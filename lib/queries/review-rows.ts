import { DEFAULT_BOUNDS } from "@/lib/domain/bounds";
import { AGE_LIMIT_MS, type Consequence, consequenceAt } from "@/lib/domain/consequence";
import { requestReviewValues } from "@/lib/domain/drift";
import { itemValues } from "@/lib/domain/item-values";
import type { OperationKind, OperationState } from "@/lib/domain/operation";
import { sentenceValues } from "@/lib/domain/operation-sentence";
import { reasonSentence } from "@/lib/domain/reason-sentence";
import { type ItemStatus, mayAct } from "@/lib/domain/review-act";
import type { Role } from "@/lib/domain/role";
import type { SentenceValues } from "@/lib/domain/sentence";
import type { Tx } from "@/lib/store/db";
import type { Prisma } from "@/lib/store/prisma/client";
import { payloadOf, targetText } from "./payload-target";

export interface ReviewRow {
  readonly id: string;
  readonly opId: string | null;
  readonly kind: OperationKind | null;
  readonly state: OperationState | null;
  readonly requestRef: string | null;
  /** The inbound event that the item is about. */
  readonly eventId: string | null;
  /** Whom deliveries go to, where the item is about that. */
  readonly subscriber: { readonly id: string; readonly name: string } | null;
  readonly connectionId: string | null;
  readonly zone: string;
  readonly reason: string;
  readonly status: ItemStatus;
  /** Until when it is acknowledged or snoozed, RFC 3339. */
  readonly statusUntil: string | null;
  /** When new evidence came in after it was held back, RFC 3339. */
  readonly regressedAt: string | null;
  /** A team, or `account:<uuid>`; never empty (RV-1). */
  readonly owner: string;
  readonly team: string;
  /** The account that works on it. */
  readonly assignedTo: string | null;
  /** True when the viewer may act on it. */
  readonly mayAct: boolean;
  readonly openedAt: string;
  /** When it left the queue; null while it is in it. */
  readonly closedAt: string | null;
  readonly losesAt: string | null;
  readonly losesClock: "business" | "platform" | null;
  readonly consequence: Consequence;
  readonly limitMs: number;
  /** When half of the limit and when all of it is used up, RFC 3339. */
  readonly warnAt: string;
  readonly breachAt: string;
  readonly breached: boolean;
  /** The reason in one sentence. */
  readonly sentence: string;
  readonly evidence: ReviewEvidence;
}

/** What was wanted beside what was last seen. */
export interface ReviewEvidence {
  readonly askedExpiresAt: string | null;
  readonly lastRead: {
    readonly id: string;
    readonly at: string;
    readonly outcome: string;
    readonly status: string | null;
    readonly expiresAt: string | null;
    readonly matches: number;
  } | null;
  readonly reads: number;
}

/** Who looks; what is theirs depends on the account and on the team of the role. */
export interface ReviewViewer {
  readonly accountId: string;
  readonly role: Role | null;
}

export interface FoundRow {
  id: string;
  op_id: string | null;
  kind: OperationKind | null;
  state: OperationState | null;
  request_ref: string | null;
  inbox_id: string | null;
  subscriber_id: string | null;
  subscriber_name: string | null;
  event_type: string | null;
  event_at: Date | null;
  connection_id: string | null;
  zone: string | null;
  reason: string;
  status: ItemStatus;
  status_until: Date | null;
  regressed_at: Date | null;
  owner: string;
  team: string;
  assigned_to: string | null;
  opened_at: Date;
  closed_at: Date | null;
  loses_at: Date | null;
  consequence: number;
  warn_at: Date;
  breach_at: Date;
  breached: boolean;
  business_deadline_at: Date | null;
  looks: number | null;
  attempts: number | null;
  unknown_since: Date | null;
  platform_ref: string | null;
  canonical_text: string | null;
  item_evidence: string;
  reads: number;
  read_id: string | null;
  read_at: Date | null;
  read_outcome: string | null;
  read_status: string | null;
  read_expires_at: Date | null;
  read_matches: number | null;
}

/**
 * The rows of items with all that is shown of them. `chosen` is a query of whole items with `place`, a number that
 * gives the order; what is joined here is read for these few only.
 */
export function foundRows(tx: Tx, chosen: Prisma.Sql): Promise<(FoundRow & { cursor: string })[]> {
  return tx.$queryRaw`
    WITH i AS MATERIALIZED (${chosen})
    SELECT i.id, i.op_id, i.kind, o.state, i.request_ref, i.inbox_id, i.subscriber_id, s.name AS subscriber_name,
      e.type AS event_type, e.received_at AS event_at,
      i.connection_id, r.zone, i.reason, i.status, i.status_until, i.regressed_at, i.owner, i.team, i.assigned_to,
      i.opened_at, i.closed_at, i.loses_at, i.consequence, i.warn_at, i.breach_at, i.breached, i.cursor,
      i.evidence AS item_evidence, r.business_deadline_at, o.canonical_text, o.looks, o.attempts, o.unknown_since,
      o.platform_ref,
      (SELECT count(*)::int FROM read_receipts n WHERE n.tenant_id = i.tenant_id AND n.op_id = i.op_id) AS reads,
      last.id AS read_id, last.started_at AS read_at, last.outcome AS read_outcome, last.status AS read_status,
      last.expires_at AS read_expires_at, last.matches AS read_matches
    FROM i
    LEFT JOIN operations o ON o.tenant_id = i.tenant_id AND o.op_id = i.op_id
    LEFT JOIN subscribers s ON s.tenant_id = i.tenant_id AND s.id = i.subscriber_id
    LEFT JOIN inbox_events e ON e.tenant_id = i.tenant_id AND e.id = i.inbox_id
    LEFT JOIN requests r ON r.tenant_id = i.tenant_id AND r.ref = i.request_ref
    LEFT JOIN LATERAL (SELECT * FROM read_receipts n WHERE n.tenant_id = i.tenant_id AND n.op_id = i.op_id
      ORDER BY n.started_at DESC LIMIT 1) last ON true
    ORDER BY i.place`;
}

/** One row as it is shown to this viewer. */
export function rowOf(row: FoundRow, viewer: ReviewViewer, now: string): ReviewRow {
  const { accountId, role } = viewer;
  const { owner, team, assigned_to: assignedTo } = row;
  const losesAt = instantOrNull(row.loses_at);
  const byBusiness = losesAt === instantOrNull(row.business_deadline_at);
  const consequence = consequenceAt(row.consequence);
  return {
    id: row.id,
    opId: row.op_id,
    kind: row.kind,
    state: row.state,
    requestRef: row.request_ref,
    eventId: row.inbox_id,
    subscriber: subscriberOf(row),
    connectionId: row.connection_id,
    zone: row.zone ?? "UTC",
    reason: row.reason,
    status: row.status,
    statusUntil: instantOrNull(row.status_until),
    regressedAt: instantOrNull(row.regressed_at),
    owner,
    team,
    assignedTo,
    mayAct: role !== null && mayAct({ owner, team, assignedTo }, { accountId, role }),
    openedAt: row.opened_at.toISOString(),
    closedAt: instantOrNull(row.closed_at),
    losesAt,
    losesClock: losesAt === null ? null : byBusiness ? "business" : "platform",
    consequence,
    limitMs: AGE_LIMIT_MS[consequence],
    warnAt: row.warn_at.toISOString(),
    breachAt: row.breach_at.toISOString(),
    breached: row.breached,
    sentence: sentenceOf(row, now),
    evidence: evidenceOf(row),
  };
}

function instantOrNull(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}

function evidenceOf(row: FoundRow): ReviewEvidence {
  const { read_id: id, read_at: at, read_outcome: outcome } = row;
  return {
    askedExpiresAt: row.canonical_text === null ? null : targetText(row.canonical_text),
    reads: row.reads,
    lastRead:
      id === null || at === null || outcome === null
        ? null
        : {
            id,
            at: at.toISOString(),
            outcome,
            status: row.read_status,
            expiresAt: instantOrNull(row.read_expires_at),
            matches: row.read_matches ?? 0,
          },
  };
}

function subscriberOf({ subscriber_id: id, subscriber_name: name }: FoundRow) {
  return id === null || name === null ? null : { id, name };
}

function sentenceOf(row: FoundRow, now: string): string {
  const evidence: unknown = JSON.parse(row.item_evidence);
  const event = { type: row.event_type, receivedAt: instantOrNull(row.event_at) };
  const known = itemValues(evidence, event, now);
  if (row.op_id !== null) return reasonSentence(row.reason, { ...known, ...held(row, now) });
  const ofRequest =
    row.request_ref === null ? {} : requestReviewValues(evidence, row.zone ?? "UTC");
  const subscriber = subscriberOf(row)?.name ?? null;
  return reasonSentence(row.reason, { ...known, ...present({ ...ofRequest, subscriber }) });
}

/** Without the values that are not known, so that they hide no others. */
function present(values: SentenceValues): SentenceValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value != null));
}

/** What the operation of an item says about itself. */
function held(row: FoundRow, now: string): SentenceValues {
  const payload = row.canonical_text === null ? null : payloadOf(row.canonical_text);
  const expected = payload !== null && "expected" in payload ? payload.expected : null;
  const { lastRead, askedExpiresAt } = evidenceOf(row);
  return present(
    sentenceValues({
      state: row.state ?? "needs_review",
      reason: row.reason,
      zone: row.zone ?? "UTC",
      attempts: row.attempts ?? 0,
      attemptsMax: DEFAULT_BOUNDS.attemptsMax,
      looks: row.looks ?? 0,
      looksMax: DEFAULT_BOUNDS.looksMax,
      callTimeoutMs: 0,
      unknownSince: instantOrNull(row.unknown_since),
      unknownToldAfterMs: DEFAULT_BOUNDS.unknownToldAfterMs,
      nextLookAt: null,
      approvalExpiresAt: null,
      dueAt: now,
      owner: row.owner,
      successorOpId: null,
      platformRef: row.platform_ref,
      target: askedExpiresAt,
      expected: expected?.expires_at ?? null,
      expectedStatus: expected?.status ?? null,
      lastRead,
      now,
    }),
  );
}
