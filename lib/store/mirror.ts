import type { PlatformRequest } from "@/lib/domain/observation";
import type { Tx } from "./db";

/**
 * Writes what an authoritative read showed into the mirror (PL-4). An older read never overwrites a newer one, and
 * a final end is never left (IN-5). `isFinal` says whether the status is final on this platform. False means that
 * the mirror already knew better.
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
      mirror_signers = ${request.signerCount}, mirror_read_at = ${read.startedAt},
      mirror_receipt_id = ${read.receiptId}::uuid, mirror_terminal = ${read.isFinal}
    WHERE tenant_id = ${tenantId}::uuid AND ref = ${requestRef}
      AND (mirror_read_at IS NULL OR mirror_read_at <= ${read.startedAt})
      AND (NOT mirror_terminal OR mirror_status = ${request.status})`;
  return count === 1;
}

/**
 * Ends what no longer makes sense once a request has ended (IN-6): its proposed, scheduled and claimed operations
 * become obsolete. `exceptOpId` is the operation whose own pass brought the news; it ends itself. Operations are
 * locked in the order of their ids (C-09). Returns how many ended.
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
  },
): Promise<number> {
  return tx.$executeRaw`
    WITH open AS MATERIALIZED (
      SELECT op_id FROM operations
      WHERE tenant_id = ${tenantId}::uuid AND request_ref = ${requestRef}
        AND state IN ('proposed', 'scheduled', 'claimed')
        AND op_id IS DISTINCT FROM ${why.exceptOpId}::uuid
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

/** Makes the unknown operations of a request due for a look at once (RC-6). Returns how many. */
export async function hastenLooks(tx: Tx, tenantId: string, requestRef: string): Promise<number> {
  return tx.$executeRaw`
    UPDATE operations SET next_look_at = least(next_look_at, ledger_now())
    WHERE tenant_id = ${tenantId}::uuid AND request_ref = ${requestRef} AND state = 'needs_reconcile'`;
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
