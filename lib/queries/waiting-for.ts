import { DEFAULT_BOUNDS } from "@/lib/domain/bounds";
import { PLACE_IN_REQUEST } from "@/lib/domain/claim-order";
import {
  HUMAN_STATES,
  type OperationKind,
  type OperationState,
  SLOT_STATES,
} from "@/lib/domain/operation";
import { DEFAULT_POLICY, PolicySchema } from "@/lib/domain/policy";
import { type Neighbour, type Waiting, waitingFor } from "@/lib/domain/waiting";
import type { Tx } from "@/lib/store/db";
import { quotasInUse } from "@/lib/store/limits";
import { mayRead } from "@/lib/store/read-budget";

/** The columns of an operation that decide what it waits for. */
export interface WaitingOperation {
  readonly opId: string;
  readonly kind: string;
  readonly requestRef: string;
  readonly connectionId: string;
  readonly state: OperationState;
  readonly version: number;
  readonly policyVersion: number;
  readonly supersedesOpId: string | null;
  /** The void of what this one replaces, which has to be confirmed first (ID-7). */
  readonly waitsForOpId: string | null;
  readonly approvalExpiresAt: Date | null;
  readonly dueAt: Date;
  readonly leaseUntil: Date | null;
  readonly nextLookAt: Date | null;
  readonly looks: number;
  readonly owner: string | null;
}

/** The ordered conditions of one operation at `now`, read in the caller's transaction (CL-4, BL-6). */
export async function waitingOf(
  tx: Tx,
  tenantId: string,
  operation: WaitingOperation,
  now: Date,
): Promise<Waiting> {
  const need = await quorumOf(tx, tenantId, operation);
  const have = await tx.approval.count({
    where: {
      tenantId,
      opId: operation.opId,
      decision: "approve",
      version: operation.version,
      revokedAt: null,
    },
  });
  const { heldBy, holdsBack } = await neighboursOf(tx, tenantId, operation, now);
  return waitingFor({
    state: operation.state,
    now: now.toISOString(),
    approvalsHave: have,
    approvalsNeed: need,
    approvalExpiresAt: operation.approvalExpiresAt?.toISOString() ?? null,
    dueAt: operation.dueAt.toISOString(),
    heldBy,
    holdsBack,
    pausedBy: await pauseOf(tx, tenantId, operation),
    ...(operation.state === "scheduled" ? await roomOf(tx, tenantId, operation) : NO_WAIT),
    leaseUntil: operation.leaseUntil?.toISOString() ?? null,
    nextLookAt: operation.nextLookAt?.toISOString() ?? null,
    looks: operation.looks,
    looksMax: DEFAULT_BOUNDS.looksMax,
    owner: operation.owner,
  });
}

async function quorumOf(tx: Tx, tenantId: string, operation: WaitingOperation): Promise<number> {
  const { kind, policyVersion: version } = operation;
  const row = await tx.policy.findUnique({
    where: { tenantId_kind_version: { tenantId, kind, version } },
    select: { body: true },
  });
  return row === null ? DEFAULT_POLICY.quorum : PolicySchema.parse(JSON.parse(row.body)).quorum;
}

const SLOT: readonly string[] = SLOT_STATES;
const HUMAN: readonly string[] = HUMAN_STATES;

/** What holds this operation's request, and the approved operations that this one holds. */
async function neighboursOf(tx: Tx, tenantId: string, operation: WaitingOperation, now: Date) {
  const rows = await tx.operation.findMany({
    where: {
      tenantId,
      requestRef: operation.requestRef,
      opId: { not: operation.opId },
      state: { in: [...SLOT, ...HUMAN, "scheduled"] },
    },
    select: { opId: true, kind: true, state: true, dueAt: true, successorOpId: true },
    orderBy: { createdAt: "asc" },
    take: 50,
  });
  const others = rows as readonly Other[];
  const { waitsForOpId: waitsFor } = operation;
  const holds = (other: Other) =>
    SLOT.includes(other.state) ||
    // The operation that was proposed to resolve a decision is the one that it does not hold (CL-4).
    (HUMAN.includes(other.state) && other.opId !== operation.supersedesOpId) ||
    (other.state === "scheduled" && goesFirst(other, operation, now));
  const holding = SLOT.includes(operation.state) || HUMAN.includes(operation.state);
  return {
    heldBy: others.filter((other) => holds(other) || other.opId === waitsFor).map(named)[0] ?? null,
    holdsBack: holding ? others.filter(({ state }) => state === "scheduled").map(named) : [],
  };
}

function named({ opId, kind, state }: Other): Neighbour {
  return { opId, kind, state };
}

interface Other extends Neighbour {
  readonly dueAt: Date;
  readonly successorOpId: string | null;
}

/** True for approved work of the request that is taken before this one, as the claim does it (CL-5). */
function goesFirst(other: Other, { kind }: WaitingOperation, now: Date): boolean {
  const before = PLACE_IN_REQUEST[other.kind] < PLACE_IN_REQUEST[kind as OperationKind];
  return before && other.successorOpId === null && (other.dueAt <= now || kind === "expire");
}

const NO_WAIT = { quotaFull: null, readsFreeAt: null };

/** More than this many that are ahead are not counted. */
const AHEAD_MAX = 1_000;

/** What of quotas and reads stands in the way of a start (CL-5, PL-7). */
async function roomOf(tx: Tx, tenantId: string, operation: WaitingOperation) {
  const { connectionId, dueAt } = operation;
  const read = await mayRead(tx, tenantId, connectionId, "operation");
  return {
    quotaFull: await fullQuota(tx, tenantId, connectionId, dueAt),
    readsFreeAt: read.may ? null : read.freeAt.toISOString(),
  };
}

/** The first quota without room: in flight before calls, the connection's before the tenant's. */
async function fullQuota(tx: Tx, tenantId: string, connectionId: string, dueAt: Date) {
  const quotas = (await quotasInUse(tx, tenantId))
    .filter((quota) => quota.connectionId === null || quota.connectionId === connectionId)
    .sort((a, b) => Number(a.connectionId === null) - Number(b.connectionId === null));
  const found = quotas.flatMap((quota) => {
    const scope = quota.connectionId === null ? ("tenant" as const) : ("connection" as const);
    const inFlight = { of: "in_flight" as const, used: quota.inFlight, limit: quota.inFlightMax };
    const calls = { of: "calls" as const, used: quota.calls, limit: quota.callsPerMinute };
    return [inFlight, calls]
      .filter(({ used, limit }) => used >= limit)
      .map((one) => ({ ...one, scope }));
  })[0];
  if (!found) return null;
  const [row] = await tx.$queryRaw<{ ahead: number }[]>`
    SELECT count(*)::integer AS ahead FROM (
      SELECT 1 FROM operations
      WHERE tenant_id = ${tenantId}::uuid AND connection_id = ${connectionId}::uuid AND state = 'scheduled'
        AND due_at < ${dueAt}
      LIMIT ${AHEAD_MAX}) o`;
  return { ...found, ahead: row?.ahead ?? 0 };
}

async function pauseOf(tx: Tx, tenantId: string, operation: WaitingOperation) {
  const [row] = await tx.$queryRaw<{ scope: string; name: string | null; since: Date }[]>`
    SELECT p.scope, coalesce(c.name, p.kind) AS name, p.paused_at AS since
    FROM pauses p
    LEFT JOIN connections c ON c.tenant_id = p.tenant_id AND c.id = p.connection_id
    WHERE p.resumed_at IS NULL AND (p.scope = 'all' OR p.tenant_id = ${tenantId}::uuid
      AND (p.scope = 'tenant' OR p.connection_id = ${operation.connectionId}::uuid
        OR p.scope = 'kind' AND p.kind = ${operation.kind}))
    UNION ALL
    SELECT 'connection', name, paused_at FROM connections
    WHERE tenant_id = ${tenantId}::uuid AND id = ${operation.connectionId}::uuid AND paused_at IS NOT NULL
    UNION ALL
    SELECT 'mode', coalesce(m.mode, 'off'), coalesce(m.changed_at, ledger_now())
    FROM (SELECT 1) one LEFT JOIN kind_modes m ON m.tenant_id = ${tenantId}::uuid AND m.kind = ${operation.kind}
    WHERE ${operation.state} = 'scheduled' AND coalesce(m.mode, 'off') <> 'live'
    ORDER BY since LIMIT 1`;
  if (row === undefined) return null;
  if (row.scope === "mode") {
    // Approved while it was live: it waits until its kind is live again (GO-1).
    return {
      scope: `${operation.kind} is ${MODE_IN_SENTENCE[row.name ?? ""]}`,
      since: row.since.toISOString(),
    };
  }
  const scope = row.name === null ? SCOPE_WORDS[row.scope] : `${row.scope} ${row.name}`;
  return { scope: scope ?? row.scope, since: row.since.toISOString() };
}

const MODE_IN_SENTENCE: Readonly<Record<string, string>> = {
  off: "switched off",
  shadow: "in shadow mode",
};

const SCOPE_WORDS: Readonly<Record<string, string>> = {
  all: "all tenants",
  tenant: "this tenant",
};
