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
  /** The proposal that people approved and that ended as `shadow_recorded`. */
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
