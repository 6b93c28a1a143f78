import { randomUUID } from "node:crypto";
import { canonicalText, sha256Hex } from "@/lib/domain/canonical";
import type { Observation, ShownSigner } from "@/lib/domain/observation";
import type { Tx } from "./db";

export type ReadPurpose =
  | "before"
  | "after"
  | "look"
  | "last_look"
  | "page"
  | "event"
  | "decision"
  | "sweep"
  | "shadow";

export interface ReceiptInput {
  readonly requestRef: string;
  /** The connection whose read budget the read came out of (PL-7). */
  readonly connectionId: string;
  readonly opId: string | null;
  readonly fence: number | null;
  readonly purpose: ReadPurpose;
  readonly observation: Observation;
  /** Database time before which the read certainly had not started (RC-8). */
  readonly startedAt: Date;
}

/** The ledger's own reference of a signer; null for what the platform says of anybody else. */
function subjectOf({ reference }: ShownSigner): string | null {
  return reference !== null && /^s_[a-z0-9]{1,62}$/.test(reference) ? reference : null;
}

/** What of a read is kept, in canonical text: never a body, an address or a link (PV-4). */
function bodyOf(input: ReceiptInput): string {
  const { observation } = input;
  return canonicalText({
    purpose: input.purpose,
    outcome: observation.kind,
    started_at: input.startedAt.toISOString(),
    matches:
      observation.kind === "read"
        ? observation.matches.map((match) => ({
            platform_ref: match.platformRef,
            client_reference: match.clientReference,
            status: match.status,
            raw_status: match.status === "unrecognised" ? match.rawStatus.slice(0, 60) : null,
            expires_at: match.expiresAt,
            version: match.version,
            last_reminder_at: match.lastReminderAt,
            last_delivery_at: match.lastDeliveryAt,
            platform_reminders: match.platformReminders,
            signed: match.signedCount,
            signers: match.signerCount,
            signed_by: match.signers.filter(({ signed }) => signed).map(subjectOf),
          }))
        : [],
    detail:
      observation.kind === "unreadable"
        ? {
            cause: observation.detail.cause,
            http_status: observation.detail.httpStatus,
            platform_code: observation.detail.platformCode,
            platform_request_id: observation.detail.platformRequestId,
          }
        : null,
  });
}

/** Stores one read receipt (PL-4) and returns its id. Receipts are never changed afterwards. */
export async function storeReceipt(tx: Tx, tenantId: string, input: ReceiptInput): Promise<string> {
  const id = randomUUID();
  const body = bodyOf(input);
  const { observation } = input;
  const [first] = observation.kind === "read" ? observation.matches : [];
  await tx.$executeRaw`
    INSERT INTO read_receipts (tenant_id, id, request_ref, connection_id, op_id, fence, purpose, outcome, started_at,
      finished_at, platform_ref, status, expires_at, version, last_reminder_at, last_delivery_at, platform_reminders,
      matches, body, hash)
    VALUES (${tenantId}::uuid, ${id}::uuid, ${input.requestRef}, ${input.connectionId}::uuid, ${input.opId}::uuid,
      ${input.fence},
      ${input.purpose}, ${observation.kind}, ${input.startedAt}, greatest(ledger_now(), ${input.startedAt}),
      ${first?.platformRef ?? null}, ${first?.status ?? null}, ${first?.expiresAt ?? null}::timestamptz,
      ${first?.version ?? null}, ${first?.lastReminderAt ?? null}::timestamptz,
      ${first?.lastDeliveryAt ?? null}::timestamptz, ${first?.platformReminders ?? null},
      ${observation.kind === "read" ? observation.matches.length : 0}, ${body}, ${sha256Hex(body)})`;
  return id;
}
