import { randomUUID } from "node:crypto";
import type { OperationKind } from "@/lib/domain/operation";
import type { Tx } from "./db";

export interface NewShadowRecord {
  readonly kind: OperationKind;
  readonly requestRef: string;
  readonly connectionId: string;
  /** The payload that would be carried out, and the hash over it (ID-3). */
  readonly canonicalText: string;
  readonly payloadHash: string;
  /** From when on the worker looks at it. */
  readonly dueAt: Date;
  /** Who wanted it: the actor's name as history writes it, `policy:<kind>-v<n>` for timers. */
  readonly plannedBy: string;
  /** A timer's plan and its place in it; both or neither. */
  readonly planId?: string;
  readonly occurrence?: number;
  /** The proposal that people approved and that ended as `shadow_recorded`; for a timer, what its approval hangs on. */
  readonly approvedOpId?: string;
}

/**
 * Keeps what a kind in shadow mode would do (GO-1): no operation, no key, no slot. Recording the same timer or the
 * same approved proposal again changes nothing.
 */
export async function recordShadow(
  tx: Tx,
  tenantId: string,
  record: NewShadowRecord,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO shadow_records (tenant_id, id, kind, request_ref, connection_id, canonical_text, payload_hash,
      planned_by, plan_id, occurrence, approved_op_id, due_at)
    VALUES (${tenantId}::uuid, ${randomUUID()}::uuid, ${record.kind}, ${record.requestRef},
      ${record.connectionId}::uuid, ${record.canonicalText}, ${record.payloadHash}, ${record.plannedBy},
      ${record.planId ?? null}::uuid, ${record.occurrence ?? null}, ${record.approvedOpId ?? null}::uuid,
      ${record.dueAt})
    ON CONFLICT DO NOTHING`;
}

export interface ShadowedApproval {
  readonly tenantId: string;
  readonly opId: string;
  readonly version: number;
  readonly payloadHash: string;
  readonly actor: string;
  readonly evidence: string;
}

/**
 * Ends a proposal that was approved in shadow mode: nothing will be sent (GO-1). False when it is no proposal of that
 * version any more or its time to be approved is over.
 */
export async function endAsShadow(tx: Tx, approved: ShadowedApproval): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE operations
    SET state = 'obsolete', reason = 'shadow_recorded', event_actor = ${approved.actor},
      event_evidence = ${approved.evidence}
    WHERE tenant_id = ${approved.tenantId}::uuid AND op_id = ${approved.opId}::uuid AND state = 'proposed'
      AND version = ${approved.version} AND payload_hash = ${approved.payloadHash}
      AND approval_expires_at > ledger_now()`;
  return count > 0;
}
