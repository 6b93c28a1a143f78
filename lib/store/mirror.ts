import type { PlatformRequest } from "@/lib/domain/observation";
import type { Tx } from "./db";

/**
 * Writes what an authoritative read showed into the mirror (PL-4). An older read never overwrites a newer one, nor one
 * that started before an event moved the mirror what that event told, and a final end is never left (IN-5). What was read of another of the platform's requests, such as the one that this
 * one replaces, does not belong here (ID-7). `isFinal` says whether the status is final on this platform. False means
 * that the mirror already knew better.
 */
export async function mirrorRead(
  tx: Tx,
  tenantId: string,
  requestRef: string,
  read: {
    readonly request: PlatformRequest;
    readonly receiptId: string;
    readonly startedAt: Date;
    readonly isFinal: boolean;
  },
): Promise<boolean> {
  const { request } = read;
  const count = await tx.$executeRaw`
    UPDATE requests
    SET platform_ref = coalesce(platform_ref, ${request.platformRef}), mirror_status = ${request.status},
      mirror_raw_status = ${request.status === "unrecognised" ? request.rawStatus.slice(0, 60) : null},
      mirror_expires_at = ${request.expiresAt}::timestamptz, mirror_version = ${request.version},
      mirror_last_reminder_at = ${request.lastReminderAt}::timestamptz, mirror_signed = ${request.signedCount},
      mirror_signers = ${request.signerCount}, mirror_platform_reminders = ${request.platformReminders},
      mirror_last_delivery_at = ${request.lastDeliveryAt}::timestamptz, mirror_read_at = ${read.startedAt},
      mirror_receipt_id = ${read.receiptId}::uuid, mirror_terminal = ${read.isFinal}
    WHERE tenant_id = ${tenantId}::uuid AND ref = ${requestRef}
      AND (platform_ref IS NULL OR platform_ref = ${request.platformRef})
      AND (mirror_read_at IS NULL OR mirror_read_at <= ${read.startedAt})
      AND (mirror_event_at IS NULL OR mirror_event_at <= ${read.startedAt} OR mirror_status = ${request.status})
      AND (NOT mirror_terminal OR mirror_status = ${request.status})`;
  return count === 1;
}

/** Locks the mirror of a request, before any operation (C-09), and says what status it holds; null for none. */
export async function lockMirror(
  tx: Tx,
  tenantId: string,
  requestRef: string,
): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ status: string | null }[]>`
    SELECT mirror_status AS status FROM requests WHERE tenant_id = ${tenantId}::uuid AND ref = ${requestRef} FOR UPDATE`;
  return row?.status ?? null;
}

/**
 * Moves the mirror from what a confirmed send replaced to what it made (ID-7): the newest read of the send becomes
 * what is known of the request, and the end of the old one is left behind. `isFinal` says whether the status in that
 * receipt is final on this platform. False when the request shows this reference already.
 */
export async function moveMirror(
  tx: Tx,
  tenantId: string,
  requestRef: string,
  move: { readonly receiptId: string; readonly platformRef: string; readonly isFinal: boolean },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE requests r
    SET platform_ref = ${move.platformRef}, mirror_status = seen.status, mirror_raw_status = NULL,
      mirror_expires_at = seen.expires_at, mirror_version = seen.version,
      mirror_last_reminder_at = seen.last_reminder_at,
      mirror_signed = (seen.body::json #>> '{matches,0,signed}')::integer,
      mirror_signers = (seen.body::json #>> '{matches,0,signers}')::integer,
      mirror_platform_reminders = seen.platform_reminders, mirror_last_delivery_at = seen.last_delivery_at,
      mirror_read_at = seen.started_at, mirror_receipt_id = seen.id, mirror_terminal = ${move.isFinal}
    FROM read_receipts seen
    WHERE r.tenant_id = ${tenantId}::uuid AND r.ref = ${requestRef}
      AND r.platform_ref IS DISTINCT FROM ${move.platformRef}
      AND seen.tenant_id = r.tenant_id AND seen.id = ${move.receiptId}::uuid`;
  return count === 1;
}

/**
 * Ends what no longer makes sense once a request has ended or is replaced (IN-6): its proposed, scheduled and claimed
 * operations become obsolete. `exceptOpId` is the operation whose own pass brought the news; it ends itself. The void
 * of a replaced request and the approved replacement stay: the one finds out by its own read, and what becomes of the
 * other is for `settleReplacements`. So does the void of an extra one that carries the same reference (RC-3): its end is not this one's. `exceptKind` is the kind whose own target an event shows: it is read first. Operations are locked in the order of their ids (C-09). Returns how many ended.
 */
export async function retireOperations(
  tx: Tx,
  tenantId: string,
  requestRef: string,
  why: {
    readonly actor: string;
    readonly reason: string;
    readonly evidence: object;
    readonly exceptOpId: string | null;
    readonly exceptKind?: "void" | "expire" | null;
  },
): Promise<number> {
  return tx.$executeRaw`
    WITH open AS MATERIALIZED (
      SELECT op_id FROM operations
      WHERE tenant_id = ${tenantId}::uuid AND request_ref = ${requestRef}
        AND state IN ('proposed', 'scheduled', 'claimed')
        AND op_id IS DISTINCT FROM ${why.exceptOpId}::uuid
        AND kind IS DISTINCT FROM ${why.exceptKind ?? null}
        AND NOT (kind = 'void' AND (approved_with_op_id IS NOT NULL OR EXISTS (
          SELECT 1 FROM operations waiting
          WHERE waiting.tenant_id = operations.tenant_id AND waiting.waits_for_op_id = operations.op_id)))
        AND NOT (kind = 'send' AND supersedes_op_id IS NOT NULL AND approved_at IS NOT NULL)
        AND NOT (kind = 'void' AND EXISTS (
          SELECT 1 FROM requests r
          WHERE r.tenant_id = operations.tenant_id AND r.ref = operations.request_ref
            AND r.platform_ref <> operations.canonical_text::json ->> 'platform_ref'))
      ORDER BY op_id
      FOR UPDATE
    )
    UPDATE operations o
    SET state = 'obsolete', reason = ${why.reason}, lease_owner = NULL, lease_until = NULL,
      event_actor = ${why.actor}, event_evidence = ${JSON.stringify(why.evidence)}
    FROM open
    WHERE o.tenant_id = ${tenantId}::uuid AND o.op_id = open.op_id
      AND o.state IN ('proposed', 'scheduled', 'claimed')`;
}

/**
 * Ends reminders whose signers have all signed (IN-6, RM-3); `signed` are the subject references that a read shows as
 * signed. What is under way or was claimed by the reader itself (`exceptOpId`) ends by its own read. Returns how many
 * ended.
 */
export async function retireSignedReminders(
  tx: Tx,
  tenantId: string,
  requestRef: string,
  signed: readonly string[],
  why: { readonly actor: string; readonly evidence: object; readonly exceptOpId: string | null },
): Promise<number> {
  if (signed.length === 0) return 0;
  return tx.$executeRaw`
    WITH open AS MATERIALIZED (
      SELECT op_id FROM operations o
      WHERE o.tenant_id = ${tenantId}::uuid AND o.request_ref = ${requestRef} AND o.kind = 'remind'
        AND o.state IN ('proposed', 'scheduled', 'claimed')
        AND o.op_id IS DISTINCT FROM ${why.exceptOpId}::uuid
        AND NOT EXISTS (
          SELECT 1 FROM json_array_elements(o.canonical_text::json -> 'signers') AS signer
          WHERE signer ->> 'subject_ref' <> ALL(${[...signed]}::text[]))
      ORDER BY op_id
      FOR UPDATE
    )
    UPDATE operations o
    SET state = 'obsolete', reason = 'skipped_signed', lease_owner = NULL, lease_until = NULL,
      event_actor = ${why.actor}, event_evidence = ${JSON.stringify(why.evidence)}
    FROM open
    WHERE o.tenant_id = ${tenantId}::uuid AND o.op_id = open.op_id
      AND o.state IN ('proposed', 'scheduled', 'claimed')`;
}

/** The expiry that the newest authoritative read showed, RFC 3339 in UTC; null when none did. */
export async function mirroredExpiry(
  tx: Tx,
  tenantId: string,
  requestRef: string,
): Promise<string | null> {
  const row = await tx.request.findUnique({
    where: { tenantId_ref: { tenantId, ref: requestRef } },
    select: { mirrorExpiresAt: true },
  });
  return row?.mirrorExpiresAt?.toISOString() ?? null;
}
