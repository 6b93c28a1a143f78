import { DEFAULT_BOUNDS } from "@/lib/domain/bounds";
import { HUMAN_STATES, type OperationState, SLOT_STATES } from "@/lib/domain/operation";
import { DEFAULT_POLICY, PolicySchema } from "@/lib/domain/policy";
import { type Neighbour, type Waiting, waitingFor } from "@/lib/domain/waiting";
import type { Tx } from "@/lib/store/db";

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
  const { heldBy, holdsBack } = await neighboursOf(tx, tenantId, operation);
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
async function neighboursOf(tx: Tx, tenantId: string, operation: WaitingOperation) {
  const rows = await tx.operation.findMany({
    where: {
      tenantId,
      requestRef: operation.requestRef,
      opId: { not: operation.opId },
      state: { in: [...SLOT, ...HUMAN, "scheduled"] },
    },
    select: { opId: true, kind: true, state: true },
    orderBy: { createdAt: "asc" },
    take: 50,
  });
  const others = rows as readonly Neighbour[];
  const holds = ({ opId, state }: Neighbour) =>
    SLOT.includes(state) ||
    // The operation that was proposed to resolve a decision is the one that it does not hold (CL-4).
    (HUMAN.includes(state) && opId !== operation.supersedesOpId);
  const holding = SLOT.includes(operation.state) || HUMAN.includes(operation.state);
  return {
    heldBy: others.find(holds) ?? null,
    holdsBack: holding ? others.filter(({ state }) => state === "scheduled") : [],
  };
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
    ORDER BY since LIMIT 1`;
  if (row === undefined) return null;
  const scope = row.name === null ? SCOPE_WORDS[row.scope] : `${row.scope} ${row.name}`;
  return { scope: scope ?? row.scope, since: row.since.toISOString() };
}

const SCOPE_WORDS: Readonly<Record<string, string>> = {
  all: "all tenants",
  tenant: "this tenant",
};
