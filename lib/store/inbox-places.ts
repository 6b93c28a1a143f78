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

/** What the ledger knows of events before they are recorded. */
export interface EventPlaces {
  /** The requests that their references belong to; references that no request shows are left out. */
  readonly mirrored: readonly MirroredRequest[];
  /** Identities that are recorded already. */
  readonly known: ReadonlySet<string>;
}

type PlaceRow = Omit<MirroredRequest, "ref"> & {
  readonly ref: string | null;
  readonly identity: string | null;
};

/**
 * Locks the requests that these platform references belong to, in the order of the references and before any of their
 * operations (C-09), says what their mirrors hold, and which of the identities are recorded already. The latter is as
 * the statement began: what somebody else records while it waits for a lock shows when this event is recorded.
 */
export async function lockPlaces(
  tx: Tx,
  tenantId: string,
  connectionId: string,
  of: { readonly platformRefs: readonly string[]; readonly identities: readonly string[] },
): Promise<EventPlaces> {
  const rows = await tx.$queryRaw<PlaceRow[]>`
    WITH e AS MATERIALIZED (
      SELECT DISTINCT ref FROM unnest(${[...of.platformRefs]}::text[]) AS given(ref) ORDER BY ref
    ), mirrored AS MATERIALIZED (
      SELECT found.* FROM e CROSS JOIN LATERAL (
        SELECT r.ref, r.platform_ref, r.mirror_status, r.mirror_terminal, r.business_deadline_at
        FROM requests r
        WHERE r.tenant_id = ${tenantId}::uuid AND r.connection_id = ${connectionId}::uuid AND r.platform_ref = e.ref
        FOR UPDATE
      ) found
    )
    SELECT ref, platform_ref AS "platformRef", mirror_status AS status, mirror_terminal AS "isFinal",
      business_deadline_at AS "businessDeadlineAt", NULL AS identity
    FROM mirrored
    UNION ALL
    SELECT NULL, '', NULL, false, NULL, i.identity FROM inbox_events i
    WHERE i.tenant_id = ${tenantId}::uuid AND i.connection_id = ${connectionId}::uuid
      AND i.identity = ANY(${[...of.identities]}::text[])`;
  return {
    mirrored: rows.flatMap(({ identity: _, ref, ...mirror }) =>
      ref === null ? [] : [{ ...mirror, ref }],
    ),
    known: new Set(rows.flatMap(({ identity }) => identity ?? [])),
  };
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
