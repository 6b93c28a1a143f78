import type { InboxOutcome } from "@/lib/domain/inbox-words";
import { asTenant, type Database, type Tx } from "@/lib/store/db";
import { retentionDays } from "@/lib/store/retention-rules";
import { type Person, personsOf } from "./persons";

/** One event with everything that is known of it. Instants are RFC 3339 in UTC. */
export interface InboxEventPage {
  readonly now: string;
  readonly id: string;
  readonly connection: string;
  readonly connectionId: string;
  readonly source: "webhook" | "poll";
  readonly outcome: InboxOutcome;
  readonly receivedAt: string;
  readonly appliedAt: string | null;
  readonly requestRef: string | null;
  readonly zone: string;
  /** What the event claims. */
  readonly webhookSays: {
    readonly type: string;
    readonly platformRef: string | null;
    readonly status: string | null;
    readonly at: string | null;
  };
  /** What the platform's own answer to a read showed: the read that settled it, else the newest. Null without one. */
  readonly apiSays: {
    readonly receiptId: string;
    readonly readAt: string;
    readonly outcome: string;
    readonly status: string | null;
    readonly expiresAt: string | null;
    /** True when that read started after the event was received. */
    readonly isAfter: boolean;
  } | null;
  /** What the ledger's mirror holds now; null where no request is known. */
  readonly ledgerSays: {
    readonly platformRef: string | null;
    readonly status: string | null;
    readonly isFinal: boolean;
    readonly expiresAt: string | null;
    readonly readAt: string | null;
  } | null;
  /** The final end that it contradicts. */
  readonly contradicts: string | null;
  readonly identity: {
    readonly kind: "event_id" | "delivery_id" | "made" | "bytes" | "seen";
    readonly value: string;
    readonly isWeaker: boolean;
  };
  readonly signature: {
    readonly keyId: string;
    readonly signedAt: string | null;
    /** Age of the signed time at receipt, in seconds. */
    readonly ageSeconds: number | null;
  };
  readonly copies: number;
  readonly lastCopyAt: string | null;
  /** Codes and counts of what it changed; null where it changed nothing. */
  readonly effects: Readonly<Record<string, unknown>> | null;
  readonly tries: {
    readonly failed: number;
    readonly lastError: string | null;
    readonly nextAt: string;
  };
  readonly raw: {
    readonly digest: string;
    readonly isKept: boolean;
    /** When it is, or was, deleted. */
    readonly deletedAt: string;
  };
  readonly acts: readonly {
    readonly id: string;
    readonly act: "replayed" | "raw_shown";
    readonly by: Person | null;
    readonly result: string;
    readonly at: string;
  }[];
  readonly reviews: readonly {
    readonly id: string;
    readonly reason: string;
    readonly owner: string;
  }[];
}

/** One event as its page shows it, without a byte of its body; null when the tenant has none of that id. */
export async function inboxEventPage(
  db: Database,
  tenantId: string,
  viewer: string,
  id: string,
): Promise<InboxEventPage | null> {
  return asTenant(db, tenantId, async (tx) => {
    const row = await eventRow(tx, tenantId, id);
    if (row === null) return null;
    const reviews = await tx.reviewItem.findMany({
      where: { tenantId, inboxId: id, settledAt: null },
      select: { id: true, reason: true, owner: true },
    });
    return {
      ...pageOf(row),
      acts: await actsOf(tx, tenantId, viewer, id),
      reviews,
    };
  });
}

async function actsOf(
  tx: Tx,
  tenantId: string,
  viewer: string,
  id: string,
): Promise<InboxEventPage["acts"]> {
  const rows = await tx.inboxAct.findMany({
    where: { tenantId, inboxId: id },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    select: { id: true, act: true, actor: true, result: true, at: true },
  });
  const names = rows.map(({ actor }) => actor);
  const persons = await personsOf(tx, tenantId, names, viewer);
  return rows.map(({ act, actor, at, ...row }) => ({
    ...row,
    act: act === "raw_shown" ? act : "replayed",
    by: persons.get(actor) ?? null,
    at: at.toISOString(),
  }));
}

interface Row {
  now: Date;
  id: string;
  connection: string;
  connection_id: string;
  source: "webhook" | "poll";
  outcome: InboxOutcome;
  identity: string;
  type: string;
  platform_ref: string | null;
  claimed_status: string | null;
  occurred_at: Date | null;
  received_at: Date;
  signed_at: Date | null;
  applied_at: Date | null;
  copies: number;
  last_copy_at: Date | null;
  key_id: string;
  effects: string | null;
  contradicts: string | null;
  attempts: number;
  last_error: string | null;
  next_try_at: Date;
  body_digest: string;
  purged_at: Date | null;
  purge_at: Date;
  ref: string | null;
  own_ref: string | null;
  zone: string | null;
  mirror_status: string | null;
  mirror_terminal: boolean | null;
  mirror_expires_at: Date | null;
  mirror_read_at: Date | null;
  receipt_id: string | null;
  read_at: Date | null;
  read_outcome: string | null;
  read_status: string | null;
  read_expires_at: Date | null;
}

async function eventRow(tx: Tx, tenantId: string, id: string): Promise<Row | null> {
  const { inbox, quarantine } = await retentionDays(tx, tenantId);
  const [row] = await tx.$queryRaw<Row[]>`
    SELECT ledger_now() AS now, i.id, c.name AS connection, i.connection_id, i.source, i.outcome, i.identity, i.type, i.platform_ref,
      i.claimed_status, i.occurred_at, i.received_at, i.signed_at, i.applied_at, i.copies, i.last_copy_at, i.key_id,
      i.effects, i.contradicts, i.attempts, i.last_error, i.next_try_at, i.body_digest, i.purged_at,
      i.received_at + interval '1 day' * CASE WHEN i.outcome IN ('quarantined', 'dead') THEN ${quarantine}::integer
        ELSE least(${inbox}::integer, c.raw_retention_days) END AS purge_at, r.ref, r.zone, r.platform_ref AS own_ref, r.mirror_status,
      r.mirror_terminal, r.mirror_expires_at, r.mirror_read_at, seen.id AS receipt_id, seen.started_at AS read_at,
      seen.outcome AS read_outcome, seen.status AS read_status, seen.expires_at AS read_expires_at
    FROM inbox_events i
    JOIN connections c ON c.tenant_id = i.tenant_id AND c.id = i.connection_id
    LEFT JOIN requests r ON r.tenant_id = i.tenant_id AND r.ref = i.request_ref
    LEFT JOIN LATERAL (
      SELECT n.id, n.started_at, n.outcome, n.status, n.expires_at FROM read_receipts n
      WHERE n.tenant_id = i.tenant_id AND n.request_ref = i.request_ref
      ORDER BY n.id = i.receipt_id DESC NULLS LAST, n.started_at DESC LIMIT 1) seen ON true
    WHERE i.tenant_id = ${tenantId}::uuid AND i.id = ${id}::uuid`;
  return row ?? null;
}

const KINDS = {
  id: "event_id",
  sent: "delivery_id",
  made: "made",
  bytes: "bytes",
  seen: "seen",
} as const;

function pageOf(row: Row): Omit<InboxEventPage, "acts" | "reviews"> {
  const [prefix = "", ...rest] = row.identity.split(":");
  const kind = KINDS[prefix as keyof typeof KINDS] ?? "made";
  const { signed_at: signedAt, received_at: receivedAt, purged_at: purgedAt } = row;
  return {
    now: row.now.toISOString(),
    id: row.id,
    connection: row.connection,
    connectionId: row.connection_id,
    source: row.source,
    outcome: row.outcome,
    receivedAt: receivedAt.toISOString(),
    appliedAt: row.applied_at?.toISOString() ?? null,
    requestRef: row.ref,
    zone: row.zone ?? "UTC",
    ...saidOf(row),
    contradicts: row.contradicts,
    identity: { kind, value: rest.join(":"), isWeaker: kind === "made" || kind === "bytes" },
    signature: {
      keyId: row.key_id,
      signedAt: signedAt?.toISOString() ?? null,
      ageSeconds: signedAt && (receivedAt.getTime() - signedAt.getTime()) / 1000,
    },
    copies: row.copies,
    lastCopyAt: row.last_copy_at?.toISOString() ?? null,
    effects: row.effects === null ? null : JSON.parse(row.effects),
    tries: {
      failed: row.attempts,
      lastError: row.last_error,
      nextAt: row.next_try_at.toISOString(),
    },
    raw: {
      digest: row.body_digest,
      isKept: purgedAt === null,
      deletedAt: (purgedAt ?? row.purge_at).toISOString(),
    },
  };
}

function saidOf(row: Row): Pick<InboxEventPage, "webhookSays" | "apiSays" | "ledgerSays"> {
  const { receipt_id: receiptId, read_at: readAt, read_outcome: outcome } = row;
  return {
    webhookSays: {
      type: row.type,
      platformRef: row.platform_ref,
      status: row.claimed_status,
      at: row.occurred_at?.toISOString() ?? null,
    },
    apiSays:
      receiptId === null || readAt === null || outcome === null
        ? null
        : {
            receiptId,
            readAt: readAt.toISOString(),
            outcome,
            status: row.read_status,
            expiresAt: row.read_expires_at?.toISOString() ?? null,
            isAfter: readAt >= row.received_at,
          },
    ledgerSays:
      row.ref === null
        ? null
        : {
            platformRef: row.own_ref,
            status: row.mirror_status,
            isFinal: row.mirror_terminal ?? false,
            expiresAt: row.mirror_expires_at?.toISOString() ?? null,
            readAt: row.mirror_read_at?.toISOString() ?? null,
          },
  };
}
