import { type CapabilityDescriptor, CapabilityDescriptorSchema } from "@/lib/domain/capability";
import type { Tx } from "@/lib/store/db";

/** What is known about one request, by the last read and by what was approved. */
export interface RequestHead {
  readonly now: string;
  readonly ref: string;
  readonly connection: { readonly id: string; readonly name: string; readonly sandbox: boolean };
  /** What the platform promises; null where the stored descriptor cannot be understood. */
  readonly descriptor: CapabilityDescriptor | null;
  readonly platformRef: string | null;
  readonly revision: number;
  readonly zone: string;
  readonly status: string;
  readonly rawStatus: string | null;
  readonly version: string | null;
  readonly lastReminderAt: string | null;
  readonly lastDeliveryAt: string | null;
  /** Who reminds its signers (RM-1). */
  readonly reminderOwner: "platform" | "application";
  /** Whether the platform's own reminders are on; null where it does not say. */
  readonly platformReminders: boolean | null;
  readonly readAt: string | null;
  readonly receiptId: string | null;
  readonly ended: boolean;
  readonly signed: number | null;
  readonly signerCount: number | null;
  readonly businessDeadline: { readonly at: string; readonly approved: unknown } | null;
  readonly platformExpiresAt: string | null;
  readonly owner: "you" | "someone" | "nobody";
}

/** The head of one request; null when the tenant has none of that reference. */
export async function requestHead(
  tx: Tx,
  tenantId: string,
  accountId: string,
  ref: string,
): Promise<RequestHead | null> {
  if (!/^[A-Za-z0-9_-]{3,60}$/.test(ref)) return null;
  const [row] = await tx.$queryRaw<Row[]>`
    SELECT ledger_now() AS now, r.ref, c.id AS connection_id, c.name AS connection, c.environment, c.descriptor,
      r.platform_ref, r.revision, r.zone, r.mirror_status, r.mirror_raw_status, r.mirror_version,
      r.mirror_last_reminder_at, r.mirror_last_delivery_at, r.reminder_owner, r.mirror_platform_reminders,
      r.mirror_read_at, r.mirror_receipt_id, r.mirror_terminal, r.mirror_signed, r.mirror_signers, r.business_deadline, r.business_deadline_at, r.mirror_expires_at, r.owner_account_id
    FROM requests r JOIN connections c ON c.tenant_id = r.tenant_id AND c.id = r.connection_id
    WHERE r.tenant_id = ${tenantId}::uuid AND r.ref = ${ref}`;
  return row === undefined ? null : headOf(row, accountId);
}

interface Row {
  now: Date;
  ref: string;
  connection_id: string;
  connection: string;
  environment: string;
  descriptor: string;
  platform_ref: string | null;
  revision: number;
  zone: string;
  mirror_status: string | null;
  mirror_raw_status: string | null;
  mirror_version: string | null;
  mirror_last_reminder_at: Date | null;
  mirror_last_delivery_at: Date | null;
  reminder_owner: "platform" | "application";
  mirror_platform_reminders: boolean | null;
  mirror_read_at: Date | null;
  mirror_receipt_id: string | null;
  mirror_terminal: boolean;
  mirror_signed: number | null;
  mirror_signers: number | null;
  business_deadline: string | null;
  business_deadline_at: Date | null;
  mirror_expires_at: Date | null;
  owner_account_id: string | null;
}

function headOf(row: Row, accountId: string): RequestHead {
  return {
    now: row.now.toISOString(),
    ref: row.ref,
    connection: {
      id: row.connection_id,
      name: row.connection,
      sandbox: row.environment === "sandbox",
    },
    descriptor: CapabilityDescriptorSchema.safeParse(JSON.parse(row.descriptor)).data ?? null,
    platformRef: row.platform_ref,
    revision: row.revision,
    zone: row.zone,
    status: row.mirror_status ?? "unread",
    rawStatus: row.mirror_raw_status,
    version: row.mirror_version,
    lastReminderAt: row.mirror_last_reminder_at?.toISOString() ?? null,
    lastDeliveryAt: row.mirror_last_delivery_at?.toISOString() ?? null,
    reminderOwner: row.reminder_owner,
    platformReminders: row.mirror_platform_reminders,
    readAt: row.mirror_read_at?.toISOString() ?? null,
    receiptId: row.mirror_receipt_id,
    ended: row.mirror_terminal,
    signed: row.mirror_signed,
    signerCount: row.mirror_signers,
    businessDeadline: businessDeadlineOf(row),
    platformExpiresAt: row.mirror_expires_at?.toISOString() ?? null,
    owner: ownerOf(row.owner_account_id, accountId),
  };
}

function businessDeadlineOf(row: Row): RequestHead["businessDeadline"] {
  if (row.business_deadline_at === null) return null;
  const approved: unknown = row.business_deadline ? JSON.parse(row.business_deadline) : null;
  return { at: row.business_deadline_at.toISOString(), approved };
}

function ownerOf(owner: string | null, accountId: string): RequestHead["owner"] {
  if (owner === null) return "nobody";
  return owner === accountId ? "you" : "someone";
}
