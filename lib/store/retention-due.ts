import type { RecordClass } from "@/lib/domain/retention";
import { Prisma } from "@/lib/store/prisma/client";
import type { Db } from "./db";

/** Days by class, as they hold now. */
export type RetentionDays = Readonly<Record<RecordClass, number>>;

const age = (days: number) => Prisma.sql`ledger_now() - ${days}::integer * interval '1 day'`;

/** The request that an event `i` is about, also where it was not applied. */
const REQUEST_OF_EVENT = Prisma.sql`coalesce(i.request_ref, (SELECT r.ref FROM requests r
  WHERE r.tenant_id = i.tenant_id AND r.connection_id = i.connection_id AND r.platform_ref = i.platform_ref))`;

/** Events of a tenant whose raw body is over its time. A connection may ask for less than the inbox's days. */
export function bodiesDue(
  tenantId: string,
  recordClass: "inbox" | "quarantine",
  days: number,
): Prisma.Sql {
  const setAside = Prisma.sql`i.outcome IN ('quarantined', 'dead')`;
  const applied = Prisma.sql`i.outcome IN ('applied', 'no_change')`;
  return recordClass === "quarantine"
    ? Prisma.sql`i.tenant_id = ${tenantId}::uuid AND i.purged_at IS NULL AND ${setAside}
        AND i.received_at < ${age(days)}`
    : Prisma.sql`i.tenant_id = ${tenantId}::uuid AND i.purged_at IS NULL AND ${applied}
        AND i.received_at < ledger_now() - least(${days}::integer, (SELECT c.raw_retention_days FROM connections c
          WHERE c.tenant_id = i.tenant_id AND c.id = i.connection_id)) * interval '1 day'`;
}

/** Worked out once for a whole statement. */
const heldRequests = (tenantId: string) =>
  Prisma.sql`((SELECT held_requests(${tenantId}::uuid))::text[])`;

/** True for an event `i` that no hold keeps. */
export function bodyIsFree(tenantId: string): Prisma.Sql {
  return Prisma.sql`NOT coalesce(${REQUEST_OF_EVENT} = ANY${heldRequests(tenantId)}, false)`;
}

/**
 * Requests `r` of a tenant that ended so long ago: nothing of them is open, and nothing happened to them since. One
 * that never reached its platform ended with its last operation.
 */
export function requestsDue(tenantId: string, days: number): Prisma.Sql {
  return Prisma.sql`r.tenant_id = ${tenantId}::uuid AND r.created_at < ${age(days)}
    AND (r.mirror_terminal OR r.platform_ref IS NULL)
    AND coalesce(r.mirror_event_at, r.created_at) < ${age(days)}
    AND NOT EXISTS (SELECT 1 FROM operations o WHERE o.tenant_id = r.tenant_id AND o.request_ref = r.ref
      AND (o.state NOT IN ('done', 'obsolete', 'superseded', 'failed_terminal') OR o.changed_at >= ${age(days)}))
    AND NOT EXISTS (SELECT 1 FROM review_items v WHERE v.tenant_id = r.tenant_id AND v.request_ref = r.ref
      AND v.settled_at IS NULL)`;
}

/** True for a request `r` that no hold keeps. */
export function requestIsFree(tenantId: string): Prisma.Sql {
  return Prisma.sql`NOT r.ref = ANY${heldRequests(tenantId)}`;
}

/** Packs whose file is over its time. */
export function packsDue(tenantId: string, days: number): Prisma.Sql {
  return Prisma.sql`p.tenant_id = ${tenantId}::uuid AND p.removed_at IS NULL AND p.finished_at < ${age(days)}`;
}

/** Notices that closed so long ago and that no later one follows. */
export function noticesDue(tenantId: string, days: number): Prisma.Sql {
  return Prisma.sql`n.tenant_id = ${tenantId}::uuid AND n.closed_at < ${age(days)}
    AND NOT EXISTS (SELECT 1 FROM notices f WHERE f.tenant_id = n.tenant_id AND f.follows = n.id)`;
}

export interface DueCount {
  readonly due: number;
  readonly held: number;
}

/** Counts beyond this are "more than". */
const COUNT_MAX = 10_000;

/** How many records of each class are over their time now, and how many of those a hold keeps. */
export async function countDue(
  db: Db,
  tenantId: string,
  days: RetentionDays,
): Promise<Readonly<Record<RecordClass, DueCount>>> {
  const events = (recordClass: "inbox" | "quarantine") =>
    counted(
      db,
      Prisma.sql`SELECT NOT ${bodyIsFree(tenantId)} AS held FROM inbox_events i
      WHERE ${bodiesDue(tenantId, recordClass, days[recordClass])}`,
    );
  const requests = (recordClass: "vault" | "ledger") =>
    counted(
      db,
      Prisma.sql`SELECT NOT ${requestIsFree(tenantId)} AS held FROM requests r
      WHERE ${requestsDue(tenantId, days[recordClass])}
        AND r.${Prisma.raw(`${recordClass}_cleared_at`)} IS NULL`,
    );
  return {
    ledger: await requests("ledger"),
    inbox: await events("inbox"),
    quarantine: await events("quarantine"),
    vault: await requests("vault"),
    archive: await counted(
      db,
      Prisma.sql`SELECT false AS held FROM packs p WHERE ${packsDue(tenantId, days.archive)}`,
    ),
    notices: await counted(
      db,
      Prisma.sql`SELECT false AS held FROM notices n WHERE ${noticesDue(tenantId, days.notices)}`,
    ),
  };
}

async function counted(db: Db, records: Prisma.Sql): Promise<DueCount> {
  const [row] = await db.$queryRaw<DueCount[]>`
    SELECT count(*) FILTER (WHERE NOT held)::integer AS due, count(*) FILTER (WHERE held)::integer AS held
    FROM (${records} LIMIT ${COUNT_MAX}) found`;
  return row ?? { due: 0, held: 0 };
}
