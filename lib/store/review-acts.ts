import type { JsonValue } from "@/lib/domain/canonical";
import type { Tx } from "./db";
import type { VaultEntryRef } from "./vault";

/** What can happen to a review item; the database has the same list. */
export type ReviewActName =
  | "opened"
  | "routed"
  | "assigned"
  | "handed_over"
  | "acknowledged"
  | "ack_expired"
  | "snoozed"
  | "snooze_ended"
  | "alerted"
  | "escalated"
  | "regressed"
  | "decided"
  | "override_asked"
  | "override_confirmed"
  | "override_refused"
  | "settled"
  | "seen"
  | "closed";

export interface ReviewActEntry {
  readonly itemId: string;
  /** `account:<uuid>`, `worker`, `system` or `rule:<id>`. */
  readonly actor: string;
  readonly act: ReviewActName;
  /** Codes, ids and figures; never a typed text (PV-4). */
  readonly detail?: Readonly<Record<string, JsonValue>>;
  /** The vault entry of what a person typed (SM-3). */
  readonly note?: VaultEntryRef | null;
}

/**
 * Appends one entry to what was done about an item and locks the item until the transaction ends, so that entries of
 * two people never get one number. False when there is no such item.
 */
export async function recordAct(
  tx: Tx,
  tenantId: string,
  { itemId, actor, act, detail, note }: ReviewActEntry,
): Promise<boolean> {
  const count = await tx.$executeRaw`
    WITH item AS (
      UPDATE review_items SET acts = acts + 1
      WHERE tenant_id = ${tenantId}::uuid AND id = ${itemId}::uuid
      RETURNING tenant_id, id, acts
    )
    INSERT INTO review_acts (tenant_id, item_id, seq, actor, act, detail, note_ref, note_digest)
    SELECT tenant_id, id, acts, ${actor}, ${act}, ${JSON.stringify(detail ?? {})}::jsonb, ${note?.ref ?? null}::uuid,
      ${note?.digest ?? null}
    FROM item`;
  return count === 1;
}
