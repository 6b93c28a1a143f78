import { sha256Hex } from "@/lib/domain/canonical";
import { type ChainEntry, type ChainVerdict, verifyChain } from "@/lib/domain/chain";
import type { OperationState } from "@/lib/domain/operation";
import type { Tx } from "@/lib/store/db";

/** One entry of the history, with the evidence that stands in its body. */
export interface StoryEvent {
  readonly seq: number;
  readonly kind: string;
  readonly from: OperationState | null;
  readonly to: OperationState;
  readonly reason: string;
  readonly actor: string;
  readonly at: string;
  readonly hash: string;
  readonly fence: number | null;
  readonly version: number | null;
  readonly evidence: Readonly<Record<string, unknown>>;
}

/** A call that may have left a worker, and what came of it. */
export interface StoryAttempt {
  readonly fence: number;
  readonly worker: string | null;
  readonly intentAt: string;
  readonly leaseUntil: string;
  readonly reportedAt: string | null;
  readonly outcome: string | null;
  readonly late: boolean;
}

export interface StoryReceipt {
  readonly id: string;
  readonly purpose: string;
  readonly outcome: string;
  readonly status: string | null;
  readonly expiresAt: string | null;
  readonly version: string | null;
  readonly lastReminderAt: string | null;
  readonly lastDeliveryAt: string | null;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly matches: number;
  readonly hash: string;
  /** The same hash, taken over the stored body just now. */
  readonly recomputed: string;
}

/** An inbound event about this operation or its request. */
export interface StoryInbound {
  readonly id: string;
  readonly type: string;
  readonly claimedStatus: string | null;
  readonly occurredAt: string | null;
  readonly receivedAt: string;
  readonly outcome: string;
  readonly copies: number;
}

/** The history of one operation, oldest first, and whether its chain fits (SM-3, SM-4). */
export async function historyOf(
  tx: Tx,
  tenantId: string,
  operation: { readonly opId: string; readonly chainLength: number; readonly chainHead: string },
): Promise<{ readonly events: readonly StoryEvent[]; readonly chain: ChainVerdict }> {
  const { opId, chainLength, chainHead } = operation;
  const entries = await tx.$queryRaw<ChainEntry[]>`
    SELECT seq, kind, from_state AS "fromState", to_state AS "toState", reason, actor,
      to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at, body, hash
    FROM operation_events WHERE tenant_id = ${tenantId}::uuid AND op_id = ${opId}::uuid ORDER BY seq`;
  const chain = verifyChain({ tenantId, opId, length: chainLength, hash: chainHead }, entries);
  return { events: entries.map(eventOf), chain };
}

function eventOf(entry: ChainEntry): StoryEvent {
  const { seq, kind, fromState, toState, reason, actor, at, hash } = entry;
  const body = readBody(entry.body);
  return {
    seq,
    kind,
    from: fromState as OperationState | null,
    to: toState as OperationState,
    reason,
    actor,
    at,
    hash,
    fence: typeof body.fence === "number" ? body.fence : null,
    version: typeof body.version === "number" ? body.version : null,
    evidence: isRecord(body.evidence) ? body.evidence : {},
  };
}

function readBody(text: string): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) ? body : {};
  } catch {
    // A body that is no JSON was tampered with: the chain's verdict says so, and the page still shows the rest.
    return {};
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The calls of one operation, oldest first. */
export async function attemptsOf(tx: Tx, tenantId: string, opId: string): Promise<StoryAttempt[]> {
  const rows = await tx.$queryRaw<
    {
      fence: number;
      worker: string | null;
      intent_at: Date;
      lease_until: Date;
      reported_at: Date | null;
      outcome: string | null;
      late: boolean;
    }[]
  >`SELECT a.fence, w.name AS worker, a.intent_at, a.lease_until, a.reported_at, a.outcome, a.late
    FROM attempts a LEFT JOIN workers w ON w.id = a.worker_id
    WHERE a.tenant_id = ${tenantId}::uuid AND a.op_id = ${opId}::uuid ORDER BY a.fence`;
  return rows.map((row) => ({
    fence: row.fence,
    worker: row.worker,
    intentAt: row.intent_at.toISOString(),
    leaseUntil: row.lease_until.toISOString(),
    reportedAt: row.reported_at?.toISOString() ?? null,
    outcome: row.outcome,
    late: row.late,
  }));
}

/** The reads that were made for one operation, oldest first, each with its hash recomputed (PL-4). */
export async function receiptsOf(tx: Tx, tenantId: string, opId: string): Promise<StoryReceipt[]> {
  const rows = await tx.readReceipt.findMany({
    where: { tenantId, opId },
    orderBy: [{ startedAt: "asc" }, { id: "asc" }],
    take: 200,
    omit: {
      tenantId: true,
      requestRef: true,
      connectionId: true,
      opId: true,
      fence: true,
      platformRef: true,
    },
  });
  return rows.map(({ body, ...row }) => ({
    ...row,
    startedAt: row.startedAt.toISOString(),
    finishedAt: row.finishedAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastReminderAt: row.lastReminderAt?.toISOString() ?? null,
    lastDeliveryAt: row.lastDeliveryAt?.toISOString() ?? null,
    recomputed: sha256Hex(body),
  }));
}

/** What the platform told us about this request since the operation began, newest first. */
export async function inboundOf(
  tx: Tx,
  tenantId: string,
  about: {
    readonly opId: string;
    readonly connectionId: string;
    readonly platformRef: string | null;
    readonly since: Date;
  },
): Promise<StoryInbound[]> {
  const rows = await tx.inboxEvent.findMany({
    where: {
      tenantId,
      connectionId: about.connectionId,
      receivedAt: { gte: about.since },
      OR: [
        { clientReference: about.opId },
        ...(about.platformRef === null ? [] : [{ platformRef: about.platformRef }]),
      ],
    },
    orderBy: { receivedAt: "desc" },
    take: 50,
    select: {
      id: true,
      type: true,
      claimedStatus: true,
      occurredAt: true,
      receivedAt: true,
      outcome: true,
      copies: true,
    },
  });
  return rows.map((row) => ({
    ...row,
    occurredAt: row.occurredAt?.toISOString() ?? null,
    receivedAt: row.receivedAt.toISOString(),
  }));
}
