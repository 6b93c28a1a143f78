import type { Tx } from "./db";

/** A recorded event as it is applied. */
export interface RecordedEvent {
  readonly id: string;
  readonly connectionId: string;
  readonly hasEventId: boolean;
  readonly type: string;
  readonly platformRef: string;
  readonly clientReference: string | null;
  readonly status: string | null;
  readonly occurredAt: Date | null;
}

/** The request of an event with its mirror as it stands under lock. */
export interface MirroredRequest {
  readonly ref: string;
  readonly platformRef: string;
  readonly status: string | null;
  readonly isFinal: boolean;
  readonly businessDeadlineAt: Date | null;
}

/**
 * Locks the requests that these platform references belong to, in the order of the references and before any of their
 * operations (C-09), and says what their mirrors hold. References that no request shows are left out.
 */
export async function lockMirrored(
  tx: Tx,
  tenantId: string,
  connectionId: string,
  platformRefs: readonly string[],
): Promise<MirroredRequest[]> {
  return tx.$queryRaw<MirroredRequest[]>`
    WITH e AS MATERIALIZED (
      SELECT DISTINCT ref FROM unnest(${[...platformRefs]}::text[]) AS given(ref) ORDER BY ref
    )
    SELECT found.* FROM e CROSS JOIN LATERAL (
      SELECT r.ref, r.platform_ref AS "platformRef", r.mirror_status AS status, r.mirror_terminal AS "isFinal",
        r.business_deadline_at AS "businessDeadlineAt"
      FROM requests r
      WHERE r.tenant_id = ${tenantId}::uuid AND r.connection_id = ${connectionId}::uuid AND r.platform_ref = e.ref
      FOR UPDATE
    ) found`;
}

/** A send of ours that an event names, by its own reference or by what it made. */
export interface OwnSend {
  readonly opId: string;
  readonly requestRef: string;
  readonly platformRef: string | null;
}

/** The sends of this connection with these ids (ID-2) or that made what has these references (ID-7). */
export async function ownSends(
  tx: Tx,
  tenantId: string,
  connectionId: string,
  { opIds, platformRefs }: Record<"opIds" | "platformRefs", readonly string[]>,
): Promise<OwnSend[]> {
  const select = { opId: true, requestRef: true, platformRef: true } as const;
  const where = { tenantId, connectionId, kind: "send" };
  const byRef = { ...where, platformRef: { in: [...platformRefs] } };
  const byId = { ...where, opId: { in: [...opIds] } };
  return [
    ...(await tx.operation.findMany({ where: byRef, select })),
    ...(opIds.length === 0 ? [] : await tx.operation.findMany({ where: byId, select })),
  ];
}

/** Whether a send of this connection may have left and is not settled (IN-4). */
export async function hasOpenSend(
  tx: Tx,
  tenantId: string,
  connectionId: string,
): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ open: boolean }[]>`
    SELECT EXISTS (
      SELECT 1 FROM operations
      WHERE tenant_id = ${tenantId}::uuid AND connection_id = ${connectionId}::uuid AND kind = 'send'
        AND (state IN ('claimed', 'submitting', 'needs_reconcile', 'reconciling', 'needs_review')
          OR state = 'scheduled' AND attempts > 0)) AS open`;
  return row?.open ?? false;
}
