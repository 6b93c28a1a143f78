import type { BusinessDeadline } from "@/lib/domain/business-deadline";
import { canonicalText } from "@/lib/domain/canonical";
import { type CapabilityDescriptor, CapabilityDescriptorSchema } from "@/lib/domain/capability";
import type { RequestStatus } from "@/lib/domain/observation";
import type { Db, Tx } from "@/lib/store/db";

/** A request with its newest authoritative state, as far as proposing and approving depend on it. */
export interface RequestRow {
  readonly ref: string;
  readonly connectionId: string;
  readonly platformRef: string | null;
  readonly revision: number;
  readonly mirrorStatus: RequestStatus | null;
  readonly mirrorExpiresAt: Date | null;
  readonly mirrorVersion: string | null;
  readonly mirrorReceiptId: string | null;
  readonly mirrorReadAt: Date | null;
  readonly mirrorLastReminderAt: Date | null;
  readonly mirrorLastDeliveryAt: Date | null;
  readonly reminderOwner: "platform" | "application";
  /** Canonical text of the approved business deadline; null while none was approved. */
  readonly businessDeadline: string | null;
  readonly descriptor: CapabilityDescriptor;
}

/**
 * The request, locked until the transaction ends; null when this tenant has none of that reference. Proposals and
 * approvals of one request take this lock before any operation, so that they queue up and never deadlock (C-09).
 */
export async function lockRequest(
  tx: Tx,
  tenantId: string,
  ref: string,
): Promise<RequestRow | null> {
  const [row] = await tx.$queryRaw<(Omit<RequestRow, "descriptor"> & { descriptor: string })[]>`
    SELECT r.ref, r.connection_id AS "connectionId", r.platform_ref AS "platformRef", r.revision,
      r.mirror_status AS "mirrorStatus", r.mirror_expires_at AS "mirrorExpiresAt",
      r.mirror_version AS "mirrorVersion", r.mirror_receipt_id AS "mirrorReceiptId",
      r.mirror_read_at AS "mirrorReadAt", r.mirror_last_reminder_at AS "mirrorLastReminderAt",
      r.mirror_last_delivery_at AS "mirrorLastDeliveryAt", r.reminder_owner AS "reminderOwner",
      r.business_deadline AS "businessDeadline", c.descriptor
    FROM requests r JOIN connections c ON c.tenant_id = r.tenant_id AND c.id = r.connection_id
    WHERE r.tenant_id = ${tenantId}::uuid AND r.ref = ${ref}
    FOR UPDATE OF r`;
  if (!row) return null;
  return { ...row, descriptor: CapabilityDescriptorSchema.parse(JSON.parse(row.descriptor)) };
}

export interface SignerRow {
  readonly subjectRef: string;
  readonly role: string;
  readonly order: number;
  readonly contactDigest: string;
}

/** The signers of a request in their signing order. */
export async function signersOf(db: Db, tenantId: string, ref: string): Promise<SignerRow[]> {
  const rows = await db.requestSigner.findMany({
    where: { tenantId, requestRef: ref },
    orderBy: [{ signingOrder: "asc" }, { subjectRef: "asc" }],
    select: { subjectRef: true, role: true, signingOrder: true, contactDigest: true },
  });
  return rows.map(({ signingOrder, ...row }) => ({ ...row, order: signingOrder }));
}

/** The state that a receipt of this request showed; null when there is no such receipt or it shows none. */
export async function receiptState(
  db: Db,
  tenantId: string,
  ref: string,
  receiptId: string,
): Promise<{ status: RequestStatus | null; expiresAt: Date | null } | null> {
  const row = await db.readReceipt.findFirst({
    where: { tenantId, id: receiptId, requestRef: ref, outcome: "read" },
    select: { status: true, expiresAt: true },
  });
  return row && { status: row.status as RequestStatus | null, expiresAt: row.expiresAt };
}

/** Writes the deadline that was approved with an operation; the worker never computes it again (TM-2). */
export async function setBusinessDeadline(
  tx: Tx,
  tenantId: string,
  ref: string,
  deadline: BusinessDeadline,
): Promise<void> {
  await tx.request.update({
    where: { tenantId_ref: { tenantId, ref } },
    data: {
      zone: deadline.zone,
      businessDeadline: canonicalText(deadline),
      businessDeadlineAt: new Date(deadline.instant),
    },
    select: { ref: true },
  });
}

/** Adds a request that exists before the platform knows it (CL-4). False when the reference is taken already. */
export async function insertRequest(
  tx: Tx,
  request: {
    readonly tenantId: string;
    readonly ref: string;
    readonly connectionId: string;
    readonly zone: string;
    readonly ownerAccountId: string | null;
  },
): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    INSERT INTO requests (tenant_id, ref, connection_id, zone, owner_account_id)
    VALUES (${request.tenantId}::uuid, ${request.ref}, ${request.connectionId}::uuid, ${request.zone},
      ${request.ownerAccountId}::uuid)
    ON CONFLICT DO NOTHING RETURNING ref`;
  return rows.length > 0;
}

/** Adds the signers of a request; signers that are there already are left as they are. */
export async function insertSigners(
  tx: Tx,
  tenantId: string,
  ref: string,
  signers: readonly SignerRow[],
): Promise<void> {
  await tx.requestSigner.createMany({
    data: signers.map(({ order, ...signer }) => ({
      ...signer,
      tenantId,
      requestRef: ref,
      signingOrder: order,
    })),
    skipDuplicates: true,
  });
}

/** The descriptor of a connection; null when this tenant has none of that id. */
export async function descriptorOfConnection(
  db: Db,
  tenantId: string,
  connectionId: string,
): Promise<CapabilityDescriptor | null> {
  const row = await db.connection.findUnique({
    where: { tenantId_id: { tenantId, id: connectionId } },
    select: { descriptor: true },
  });
  return row && CapabilityDescriptorSchema.parse(JSON.parse(row.descriptor));
}
