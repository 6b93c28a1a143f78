import { sha256Hex } from "@/lib/domain/canonical";
import { type CapabilityDescriptor, CapabilityDescriptorSchema } from "@/lib/domain/capability";
import type { Matter, MatterOperation, MatterRequest } from "@/lib/domain/decision-matter";
import type { RequestStatus } from "@/lib/domain/observation";
import type { OperationKind, OperationState } from "@/lib/domain/operation";
import { parsePayload } from "@/lib/domain/payload";
import { attemptsOf, baselineOf, earlierAttempts, ownExpirySince } from "./attempts";
import type { Tx } from "./db";

interface MatterRow {
  readonly id: string;
  readonly reason: string;
  readonly status: string;
  readonly owner: string;
  readonly team: string;
  readonly assignedTo: string | null;
  readonly openedAt: Date;
  readonly settledAt: Date | null;
  readonly closedAt: Date | null;
  readonly evidence: string;
  readonly inboxId: string | null;
  readonly subscriberId: string | null;
  readonly connectionId: string | null;
  readonly now: Date;
  readonly opId: string | null;
  readonly opRequestRef: string | null;
  readonly kind: OperationKind;
  readonly state: OperationState;
  readonly opReason: string;
  readonly attempts: number;
  readonly declines: number;
  readonly looks: number;
  readonly opPlatformRef: string | null;
  readonly successorOpId: string | null;
  readonly canonicalText: string;
  readonly payloadHash: string;
  readonly approvedAt: Date | null;
  readonly firstIntentAt: Date | null;
  readonly ref: string | null;
  readonly platformRef: string | null;
  readonly zone: string;
  readonly mirrorStatus: RequestStatus | null;
  readonly mirrorExpiresAt: Date | null;
  readonly mirrorVersion: string | null;
  readonly mirrorTerminal: boolean;
  readonly mirrorReadAt: Date | null;
  readonly mirrorReceiptId: string | null;
  readonly descriptor: string | null;
}

/**
 * One review item with everything that a decision about it depends on, as it stands in this transaction; null when the
 * tenant has none of that id.
 */
export async function loadMatter(tx: Tx, tenantId: string, itemId: string): Promise<Matter | null> {
  const [row] = await tx.$queryRaw<MatterRow[]>`
    SELECT i.id, i.reason, i.status, i.owner, i.team, i.assigned_to AS "assignedTo", i.opened_at AS "openedAt",
      i.settled_at AS "settledAt", i.closed_at AS "closedAt", i.evidence, i.inbox_id AS "inboxId",
      i.subscriber_id AS "subscriberId", i.connection_id AS "connectionId", ledger_now() AS now,
      o.op_id AS "opId", o.request_ref AS "opRequestRef", o.kind, o.state, o.reason AS "opReason", o.attempts,
      o.declines, o.looks, o.platform_ref AS "opPlatformRef", o.successor_op_id AS "successorOpId",
      o.canonical_text AS "canonicalText", o.payload_hash AS "payloadHash", o.approved_at AS "approvedAt",
      o.first_intent_at AS "firstIntentAt",
      r.ref, r.platform_ref AS "platformRef", r.zone, r.mirror_status AS "mirrorStatus",
      r.mirror_expires_at AS "mirrorExpiresAt", r.mirror_version AS "mirrorVersion",
      r.mirror_terminal AS "mirrorTerminal", r.mirror_read_at AS "mirrorReadAt",
      r.mirror_receipt_id AS "mirrorReceiptId", c.descriptor
    FROM review_items i
    LEFT JOIN operations o ON o.tenant_id = i.tenant_id AND o.op_id = i.op_id
    LEFT JOIN requests r ON r.tenant_id = i.tenant_id AND r.ref = coalesce(i.request_ref, o.request_ref)
    LEFT JOIN connections c ON c.tenant_id = i.tenant_id
      AND c.id = coalesce(o.connection_id, r.connection_id, i.connection_id)
    WHERE i.tenant_id = ${tenantId}::uuid AND i.id = ${itemId}::uuid`;
  return row ? matterOf(tx, tenantId, row) : null;
}

async function matterOf(tx: Tx, tenantId: string, row: MatterRow): Promise<Matter> {
  const { id, reason, status, owner, team, assignedTo, openedAt, settledAt, closedAt, now } = row;
  return {
    itemId: id,
    reason,
    status,
    owner,
    team,
    assignedTo,
    openedAt,
    settledAt,
    closedAt,
    evidence: row.evidence,
    inboxId: row.inboxId,
    subscriberId: row.subscriberId,
    connectionId: row.connectionId,
    operation: row.opId === null ? null : await operationOf(tx, tenantId, row, row.opId),
    request: requestOf(row),
    descriptor: row.descriptor === null ? null : understood(row.descriptor),
    now,
  };
}

/** Null where this program does not understand the stored promises: nothing is concluded from them (PL-2). */
function understood(descriptor: string): CapabilityDescriptor | null {
  const parsed = CapabilityDescriptorSchema.safeParse(JSON.parse(descriptor));
  return parsed.success ? parsed.data : null;
}

function requestOf(row: MatterRow): MatterRequest | null {
  const { ref, platformRef, zone, mirrorStatus, mirrorExpiresAt, mirrorVersion } = row;
  if (ref === null) return null;
  const { mirrorTerminal, mirrorReadAt, mirrorReceiptId } = row;
  return {
    ref,
    platformRef,
    zone,
    mirrorStatus,
    mirrorExpiresAt,
    mirrorVersion,
    mirrorTerminal,
    mirrorReadAt,
    mirrorReceiptId,
  };
}

async function operationOf(
  tx: Tx,
  tenantId: string,
  row: MatterRow,
  opId: string,
): Promise<MatterOperation> {
  const { kind, state, attempts, declines, looks, successorOpId, payloadHash } = row;
  return {
    opId,
    kind,
    state,
    reason: row.opReason,
    attempts,
    declines,
    looks,
    platformRef: row.opPlatformRef,
    successorOpId,
    payload: parsePayload(await approvedText(tx, tenantId, row, opId)),
    payloadHash,
    firstIntentAt: row.firstIntentAt,
    calls: await attemptsOf(tx, tenantId, opId),
    earlier: await earlierAttempts(tx, tenantId, opId, ANY_FENCE),
    baseline: await baselineOf(tx, tenantId, opId),
    ownExpiresAt:
      row.approvedAt === null
        ? null
        : await ownExpirySince(tx, tenantId, row.opRequestRef ?? "", row.approvedAt),
  };
}

/** The text that was approved: where the stored bytes were changed, the version that nobody can change (ID-9). */
async function approvedText(
  tx: Tx,
  tenantId: string,
  { canonicalText, payloadHash }: MatterRow,
  opId: string,
): Promise<string> {
  if (sha256Hex(canonicalText) === payloadHash) return canonicalText;
  const version = await tx.operationVersion.findFirst({
    where: { tenantId, opId, payloadHash },
    select: { canonicalText: true },
  });
  return version?.canonicalText ?? canonicalText;
}

/** Above every fence: all calls of the operation count as earlier ones. */
const ANY_FENCE = 2_147_483_647;

/**
 * Locks an item until the transaction ends, so that of two people who decide at once one comes first. False when the
 * tenant has none of that id.
 */
export async function lockItem(tx: Tx, tenantId: string, itemId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM review_items WHERE tenant_id = ${tenantId}::uuid AND id = ${itemId}::uuid FOR UPDATE`;
  return rows.length > 0;
}
