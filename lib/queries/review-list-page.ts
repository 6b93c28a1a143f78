import { z } from "zod";
import { DEFAULT_BOUNDS } from "@/lib/domain/bounds";
import { AGE_LIMIT_MS, type Consequence, consequenceOf } from "@/lib/domain/consequence";
import { requestReviewValues } from "@/lib/domain/drift";
import type { OperationKind, OperationState } from "@/lib/domain/operation";
import { sentenceValues } from "@/lib/domain/operation-sentence";
import { reasonSentence } from "@/lib/domain/reason-sentence";
import type { Role } from "@/lib/domain/role";
import { asTenant, type Database, ledgerNow, type Tx } from "@/lib/store/db";
import { Prisma } from "@/lib/store/prisma/client";
import { payloadOf, targetText } from "./payload-target";

export const ReviewsQuerySchema = z.object({
  view: z.enum(["mine", "all"]).default("all"),
  reason: z.string().max(100).optional(),
  request: z.string().max(100).optional(),
  /** Id of the last item of the page before. */
  after: z.guid().optional(),
  size: z.coerce
    .number()
    .pipe(z.union([z.literal(50), z.literal(100), z.literal(200)]))
    .default(50),
});

export type ReviewsQuery = z.output<typeof ReviewsQuerySchema>;

export interface ReviewRow {
  readonly id: string;
  readonly opId: string | null;
  readonly kind: OperationKind | null;
  readonly state: OperationState | null;
  readonly requestRef: string | null;
  /** Whom deliveries go to, where the item is about that. */
  readonly subscriber: { readonly id: string; readonly name: string } | null;
  readonly zone: string;
  readonly reason: string;
  /** Never empty (RV-1). */
  readonly owner: string;
  readonly openedAt: string;
  readonly losesAt: string | null;
  readonly losesClock: "business" | "platform" | null;
  readonly consequence: Consequence;
  readonly limitMs: number;
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

export interface ReviewListPage {
  readonly now: string;
  readonly rows: readonly ReviewRow[];
  readonly older: string | null;
  readonly counts: { readonly mine: number; readonly all: number };
}

/** Who looks; what is theirs depends on the account and on the team of the role. */
export interface ReviewViewer {
  readonly accountId: string;
  readonly role: Role | null;
}

/** Open items, what is lost first at the top (RV-4). Nothing settled is listed, nothing open is left out. */
export async function reviewListPage(
  db: Database,
  tenantId: string,
  viewer: ReviewViewer,
  query: ReviewsQuery,
): Promise<ReviewListPage> {
  return asTenant(db, tenantId, async (tx) => {
    const now = (await ledgerNow(tx)).toISOString();
    const found = await itemsOf(tx, tenantId, viewer, query);
    const kept = found.slice(0, query.size);
    const all = await countOf(tx, tenantId, Prisma.sql`true`);
    const mine = await countOf(tx, tenantId, ownedBy(viewer));
    return {
      now,
      rows: kept.map((row) => rowOf(row, now)),
      older: found.length > query.size ? (kept.at(-1)?.id ?? null) : null,
      counts: { mine, all },
    };
  });
}

const TEAM: Record<Role, string> = {
  on_call: "team:on-call",
  account_manager: "team:account-managers",
  compliance: "team:compliance",
  admin: "team:admins",
};

function ownedBy({ accountId, role }: ReviewViewer): Prisma.Sql {
  const team = role === null ? "" : TEAM[role];
  return Prisma.sql`i.owner IN (${`account:${accountId}`}, ${team})`;
}

interface FoundRow {
  id: string;
  op_id: string | null;
  kind: OperationKind | null;
  state: OperationState | null;
  request_ref: string | null;
  subscriber_id: string | null;
  subscriber_name: string | null;
  zone: string | null;
  reason: string;
  owner: string;
  opened_at: Date;
  business_deadline_at: Date | null;
  mirror_expires_at: Date | null;
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

const TABLES = Prisma.sql`FROM review_items i
  LEFT JOIN operations o ON o.tenant_id = i.tenant_id AND o.op_id = i.op_id
  LEFT JOIN subscribers s ON s.tenant_id = i.tenant_id AND s.id = i.subscriber_id
  LEFT JOIN requests r ON r.tenant_id = i.tenant_id AND r.ref = coalesce(i.request_ref, o.request_ref)`;

const PLACE = Prisma.sql`coalesce(least(r.business_deadline_at, r.mirror_expires_at), 'infinity'),
  i.opened_at, i.id`;

function itemsOf(tx: Tx, tenantId: string, viewer: ReviewViewer, query: ReviewsQuery) {
  const filters = [Prisma.sql`i.tenant_id = ${tenantId}::uuid AND i.settled_at IS NULL`];
  if (query.view === "mine") filters.push(ownedBy(viewer));
  if (query.reason) filters.push(Prisma.sql`i.reason = ${query.reason}`);
  if (query.request) filters.push(Prisma.sql`i.request_ref = ${query.request}`);
  if (query.after) {
    filters.push(Prisma.sql`(${PLACE}) > (SELECT ${PLACE} ${TABLES}
      WHERE i.tenant_id = ${tenantId}::uuid AND i.id = ${query.after}::uuid)`);
  }
  return tx.$queryRaw<FoundRow[]>`
    SELECT i.id, i.op_id, o.kind, o.state, coalesce(i.request_ref, o.request_ref) AS request_ref, i.subscriber_id,
      s.name AS subscriber_name, r.zone, i.reason,
      i.owner, i.opened_at, i.evidence AS item_evidence, r.business_deadline_at, r.mirror_expires_at, o.canonical_text, o.looks, o.attempts,
      o.unknown_since, o.platform_ref,
      (SELECT count(*)::int FROM read_receipts n WHERE n.tenant_id = i.tenant_id AND n.op_id = i.op_id) AS reads,
      last.id AS read_id, last.started_at AS read_at, last.outcome AS read_outcome, last.status AS read_status,
      last.expires_at AS read_expires_at, last.matches AS read_matches
    ${TABLES}
    LEFT JOIN LATERAL (SELECT * FROM read_receipts n WHERE n.tenant_id = i.tenant_id AND n.op_id = i.op_id
      ORDER BY n.started_at DESC LIMIT 1) last ON true
    WHERE ${Prisma.join(filters, " AND ")}
    ORDER BY ${PLACE}
    LIMIT ${query.size + 1}`;
}

async function countOf(tx: Tx, tenantId: string, which: Prisma.Sql): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM review_items i
    WHERE i.tenant_id = ${tenantId}::uuid AND i.settled_at IS NULL AND ${which}`;
  return row?.count ?? 0;
}

function rowOf(row: FoundRow, now: string): ReviewRow {
  const { kind, reason, business_deadline_at: business, mirror_expires_at: platform } = row;
  const platformFirst = platform !== null && (business === null || platform < business);
  const losesAt = (platformFirst ? platform : business)?.toISOString() ?? null;
  const consequence = consequenceOf({ kind, reason, losesAt }, now);
  return {
    id: row.id,
    opId: row.op_id,
    kind,
    state: row.state,
    requestRef: row.request_ref,
    subscriber: subscriberOf(row),
    zone: row.zone ?? "UTC",
    reason,
    owner: row.owner,
    openedAt: row.opened_at.toISOString(),
    losesAt,
    losesClock: losesAt === null ? null : platformFirst ? "platform" : "business",
    consequence,
    limitMs: AGE_LIMIT_MS[consequence],
    sentence: sentenceOf(row, now),
    evidence: evidenceOf(row),
  };
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
            expiresAt: row.read_expires_at?.toISOString() ?? null,
            matches: row.read_matches ?? 0,
          },
  };
}

function subscriberOf({ subscriber_id: id, subscriber_name: name }: FoundRow) {
  return id === null || name === null ? null : { id, name };
}

function sentenceOf(row: FoundRow, now: string): string {
  const subscriber = subscriberOf(row);
  if (subscriber !== null) {
    const { n } = JSON.parse(row.item_evidence) as { readonly n?: number };
    return reasonSentence(row.reason, { subscriber: subscriber.name, n: n ?? null });
  }
  if (row.op_id === null && row.request_ref !== null) {
    const evidence: unknown = JSON.parse(row.item_evidence);
    return reasonSentence(row.reason, requestReviewValues(evidence, row.zone ?? "UTC"));
  }
  const payload = row.canonical_text === null ? null : payloadOf(row.canonical_text);
  const expected = payload !== null && "expected" in payload ? payload.expected : null;
  const { lastRead, askedExpiresAt } = evidenceOf(row);
  const values = sentenceValues({
    state: row.state ?? "needs_review",
    reason: row.reason,
    zone: row.zone ?? "UTC",
    attempts: row.attempts ?? 0,
    attemptsMax: DEFAULT_BOUNDS.attemptsMax,
    looks: row.looks ?? 0,
    looksMax: DEFAULT_BOUNDS.looksMax,
    callTimeoutMs: 0,
    unknownSince: row.unknown_since?.toISOString() ?? null,
    unknownAgeMaxMs: DEFAULT_BOUNDS.unknownAgeMaxMs,
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
  });
  return reasonSentence(row.reason, values);
}
