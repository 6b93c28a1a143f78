import { ACT_FROM, type ItemStatus } from "@/lib/domain/review-act";
import type { Tx } from "./db";

/** An item as a person's act finds it. */
export interface ItemInQueue {
  readonly id: string;
  readonly requestRef: string | null;
  readonly reason: string;
  readonly connectionId: string | null;
  readonly status: ItemStatus;
  readonly owner: string;
  readonly team: string;
  readonly assignedTo: string | null;
  readonly assignedAt: Date | null;
  readonly consequence: number;
  readonly losesAt: Date | null;
  readonly closedAt: Date | null;
}

/** One item of the tenant; null when there is none. Locks nothing: what is written compares again. */
export async function itemInQueue(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<ItemInQueue | null> {
  const [row] = await tx.$queryRaw<ItemInQueue[]>`
    SELECT id, request_ref AS "requestRef", reason, connection_id AS "connectionId", status, owner, team,
      assigned_to AS "assignedTo", assigned_at AS "assignedAt", consequence::int, loses_at AS "losesAt",
      closed_at AS "closedAt"
    FROM review_items WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid`;
  return row ?? null;
}

/** Who gives an item to whom. `from` is the owner that was on screen: another one by now changes nothing. */
export interface Assignment {
  readonly itemId: string;
  readonly from: string;
  readonly to: string;
  /** The actor, `account:<uuid>`. */
  readonly by: string;
}

/**
 * Gives an item that nobody works on to a person: it is in work from then on, and no rule moves it any more. False
 * when somebody has it by now, or it takes no assignment: of two at once one wins.
 */
export async function assignItem(
  tx: Tx,
  tenantId: string,
  { itemId, from, to, by }: Assignment,
): Promise<boolean> {
  const account = to.replace("account:", "");
  const count = await tx.$executeRaw`
    WITH item AS (
      UPDATE review_items SET owner = ${to}, assigned_to = ${account}::uuid, assigned_by_person = true,
        assigned_at = ledger_now(), regressed_at = NULL, acts = acts + 1,
        status = CASE WHEN status IN ('open', 'snoozed') THEN 'claimed' ELSE status END,
        status_until = CASE WHEN status = 'snoozed' THEN NULL ELSE status_until END
      WHERE tenant_id = ${tenantId}::uuid AND id = ${itemId}::uuid AND closed_at IS NULL
        AND status = ANY (${[...ACT_FROM.assign]}) AND assigned_to IS NULL AND owner = ${from}
      RETURNING tenant_id, id, acts
    )
    INSERT INTO review_acts (tenant_id, item_id, seq, actor, act, detail)
    SELECT tenant_id, id, acts, ${by}, 'assigned', jsonb_build_object('from', ${from}::text, 'to', ${to}::text)
    FROM item`;
  return count === 1;
}

/** A vault entry: where the typed text stands, and its digest for the history (SM-3). */
interface NoteRef {
  readonly ref: string;
  readonly digest: string;
}

/**
 * Hands an item over to a person, who works on it from then on, or to a team, in which nobody has taken it yet. What
 * was acknowledged or hidden is open again: the new owner has not seen it. False when another one has it by now.
 */
export async function handOverItem(
  tx: Tx,
  tenantId: string,
  { itemId, from, to, by, note }: Assignment & { readonly note: NoteRef },
): Promise<boolean> {
  const account = to.startsWith("account:") ? to.slice("account:".length) : null;
  const count = await tx.$executeRaw`
    WITH item AS (
      UPDATE review_items SET owner = ${to}, team = team_of_owner(tenant_id, ${to}), assigned_to = ${account}::uuid,
        assigned_by_person = true, assigned_at = CASE WHEN ${account}::uuid IS NULL THEN NULL ELSE ledger_now() END,
        regressed_at = NULL, status_until = NULL, acts = acts + 1,
        status = CASE WHEN status = 'second_person' THEN status WHEN ${account}::uuid IS NULL THEN 'open'
          ELSE 'claimed' END
      WHERE tenant_id = ${tenantId}::uuid AND id = ${itemId}::uuid AND closed_at IS NULL
        AND status = ANY (${[...ACT_FROM.hand_over]}) AND owner = ${from}
      RETURNING tenant_id, id, acts
    )
    INSERT INTO review_acts (tenant_id, item_id, seq, actor, act, detail, note_ref, note_digest)
    SELECT tenant_id, id, acts, ${by}, 'handed_over', jsonb_build_object('from', ${from}::text, 'to', ${to}::text),
      ${note.ref}::uuid, ${note.digest}
    FROM item`;
  return count === 1;
}

/** Holds escalation back until an instant. False when the item is not open or in work any more. */
export async function acknowledgeItem(
  tx: Tx,
  tenantId: string,
  held: { readonly itemId: string; readonly until: Date; readonly by: string },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    WITH item AS (
      UPDATE review_items SET status = 'acknowledged', status_until = ${held.until}::timestamptz, regressed_at = NULL,
        acts = acts + 1
      WHERE tenant_id = ${tenantId}::uuid AND id = ${held.itemId}::uuid AND closed_at IS NULL
        AND status = ANY (${[...ACT_FROM.acknowledge]})
      RETURNING tenant_id, id, acts, status_until
    )
    INSERT INTO review_acts (tenant_id, item_id, seq, actor, act, detail)
    SELECT tenant_id, id, acts, ${held.by}, 'acknowledged', jsonb_build_object('until', status_until) FROM item`;
  return count === 1;
}

/** Hides an item until an instant. False when it is critical by now, or not open or in work any more. */
export async function snoozeItem(
  tx: Tx,
  tenantId: string,
  held: {
    readonly itemId: string;
    readonly until: Date;
    readonly by: string;
    readonly note: NoteRef;
  },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    WITH item AS (
      UPDATE review_items SET status = 'snoozed', status_until = ${held.until}::timestamptz, regressed_at = NULL,
        acts = acts + 1
      WHERE tenant_id = ${tenantId}::uuid AND id = ${held.itemId}::uuid AND closed_at IS NULL
        AND status = ANY (${[...ACT_FROM.snooze]})
        AND review_consequence(kind, reason, loses_at, ledger_now()) > 1
      RETURNING tenant_id, id, acts, status_until
    )
    INSERT INTO review_acts (tenant_id, item_id, seq, actor, act, detail, note_ref, note_digest)
    SELECT tenant_id, id, acts, ${held.by}, 'snoozed', jsonb_build_object('until', status_until),
      ${held.note.ref}::uuid, ${held.note.digest}
    FROM item`;
  return count === 1;
}

/** Takes a settled item out of the queue, because its owner has seen it (RV-1). False when it is not settled. */
export async function seeItem(
  tx: Tx,
  tenantId: string,
  seen: { readonly itemId: string; readonly accountId: string },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    WITH item AS (
      UPDATE review_items SET closed_at = ledger_now(), closed_by = ${seen.accountId}::uuid, regressed_at = NULL,
        acts = acts + 1
      WHERE tenant_id = ${tenantId}::uuid AND id = ${seen.itemId}::uuid AND closed_at IS NULL
        AND status = ANY (${[...ACT_FROM.see]})
      RETURNING tenant_id, id, acts
    )
    INSERT INTO review_acts (tenant_id, item_id, seq, actor, act)
    SELECT tenant_id, id, acts, ${`account:${seen.accountId}`}, 'seen' FROM item`;
  return count === 1;
}
