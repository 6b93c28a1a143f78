import { asTenant, type Database, ledgerNow, type Tx } from "@/lib/store/db";
import {
  DELIVERY_COLUMNS,
  DELIVERY_TABLES,
  type FoundDelivery,
  type OutboxRow,
  outboxRow,
} from "./outbox-row";
import { type Person, personsOf } from "./persons";

export interface DeliveryTry {
  readonly attempt: number;
  readonly worker: string;
  readonly beganAt: string;
  readonly durationMs: number | null;
  readonly status: number | null;
  /** Null while it is under way, and for ever when its worker went away. */
  readonly outcome: string | null;
}

export interface DeliveryPage {
  readonly now: string;
  readonly delivery: OutboxRow & {
    /** The webhook-id of every try. */
    readonly messageId: string;
    readonly releasedAt: string | null;
    readonly receiptId: string | null;
    readonly underWay: boolean;
    readonly replayed: { readonly by: Person | null; readonly at: string } | null;
    /** Who closed it; what that person wrote is in the vault. */
    readonly discardedBy: Person | null;
  };
  readonly tries: readonly DeliveryTry[];
}

interface FoundPage extends FoundDelivery {
  readonly messageId: string;
  readonly releasedAt: Date | null;
  readonly receiptId: string | null;
  readonly underWay: boolean;
  readonly replayedBy: string | null;
  readonly replayedAt: Date | null;
  readonly closedBy: string | null;
}

/** One delivery with every try, the newest first; null when the tenant has none of that id. */
export async function deliveryPage(
  db: Database,
  tenantId: string,
  viewer: string,
  id: string,
): Promise<DeliveryPage | null> {
  return asTenant(db, tenantId, async (tx) => {
    const [found] = await tx.$queryRaw<FoundPage[]>`
      SELECT ${DELIVERY_COLUMNS}, o.id AS "messageId", o.released_at AS "releasedAt", o.receipt_id AS "receiptId",
        coalesce(d.lease_until > ledger_now(), false) AS "underWay", d.replayed_by AS "replayedBy",
        d.replayed_at AS "replayedAt", d.discarded_by AS "closedBy"
      ${DELIVERY_TABLES}
      WHERE d.tenant_id = ${tenantId}::uuid AND d.id = ${id}::uuid`;
    if (!found) return null;
    const { replayedBy, replayedAt, closedBy, ...row } = found;
    const names = [replayedBy, closedBy].filter((name) => name !== null);
    const persons = await personsOf(tx, tenantId, names, viewer);
    return {
      now: (await ledgerNow(tx)).toISOString(),
      delivery: {
        ...outboxRow(row),
        messageId: row.messageId,
        releasedAt: row.releasedAt?.toISOString() ?? null,
        receiptId: row.receiptId,
        underWay: row.underWay,
        replayed:
          replayedBy === null || replayedAt === null
            ? null
            : { by: persons.get(replayedBy) ?? null, at: replayedAt.toISOString() },
        discardedBy: closedBy === null ? null : (persons.get(closedBy) ?? null),
      },
      tries: await triesOf(tx, tenantId, id),
    };
  });
}

const TRIES_SHOWN = 200;

async function triesOf(tx: Tx, tenantId: string, deliveryId: string): Promise<DeliveryTry[]> {
  const rows = await tx.deliveryAttempt.findMany({
    where: { tenantId, deliveryId },
    orderBy: { attempt: "desc" },
    take: TRIES_SHOWN,
    select: {
      attempt: true,
      worker: true,
      beganAt: true,
      durationMs: true,
      status: true,
      outcome: true,
    },
  });
  return rows.map((row) => ({ ...row, beganAt: row.beganAt.toISOString() }));
}

/** The body that goes out, byte for byte; null when there is none of that id or it is not released. */
export async function deliveryBody(
  db: Database,
  tenantId: string,
  id: string,
): Promise<string | null> {
  return asTenant(db, tenantId, async (tx) => {
    const [row] = await tx.$queryRaw<{ body: string | null }[]>`
      SELECT o.body ${DELIVERY_TABLES} WHERE d.tenant_id = ${tenantId}::uuid AND d.id = ${id}::uuid`;
    return row?.body ?? null;
  });
}
