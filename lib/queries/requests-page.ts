import { asTenant, type Database, type Tx } from "@/lib/store/db";
import { Prisma } from "@/lib/store/prisma/client";
import { DRIFT_MS, DRIFTS, unknownRefs } from "./deadlines-filter";
import { EARLIEST } from "./deadlines-keyset";

export interface RequestsFilter {
  readonly status?: string | undefined;
  readonly connection?: string | undefined;
  /** Only requests whose clocks disagree by more than the platform's rounding. */
  readonly drift?: boolean | undefined;
  /** Only open requests of which a clock falls due within so many hours. */
  readonly dueHours?: number | undefined;
  /** Only requests with an operation whose effect is unknown. */
  readonly unknown?: boolean | undefined;
  /** Only requests of the person who asks. */
  readonly mine?: boolean | undefined;
  /** A part of the reference. */
  readonly q?: string | undefined;
}

export interface RequestsOrder {
  readonly sort: "deadline" | "-deadline";
  readonly size: number;
  /** The last reference of the page before (keyset), or the first one of the page after. */
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

export interface RequestRow {
  readonly ref: string;
  readonly connection: string;
  readonly sandbox: boolean;
  readonly status: string;
  readonly rawStatus: string | null;
  readonly readAt: string | null;
  readonly signed: number | null;
  readonly signers: number | null;
  readonly zone: string;
  readonly businessDeadlineAt: string | null;
  readonly platformExpiresAt: string | null;
  /** Platform expiry minus business deadline; null while they agree or one of them is not known. */
  readonly driftMs: number | null;
  readonly nextLook: { readonly kind: string; readonly at: string } | null;
  readonly inFlight: OpenOperation | null;
  readonly owner: "you" | "someone" | "nobody";
  readonly ended: boolean;
}

export interface OpenOperation {
  readonly opId: string;
  readonly kind: string;
  readonly state: string;
  readonly reason: string;
}

export interface RequestsPage {
  readonly now: string;
  readonly rows: readonly RequestRow[];
  /** Exact up to 10 000, above that 10 001. */
  readonly total: number;
  readonly all: number;
  readonly older: string | null;
  readonly newer: string | null;
  readonly views: { due: number; drift: number; unknown: number; mine: number };
  readonly connections: readonly string[];
}

const COUNT_MAX = 10_001;

/**
 * One page of the tenant's signing requests, the earliest deadline first and ended ones last (screens: requests).
 * Paging goes by the reference of the neighbouring row, so that rows that come or go never shift a page.
 */
export async function requestsPage(
  db: Database,
  tenantId: string,
  accountId: string,
  filter: RequestsFilter,
  order: RequestsOrder,
): Promise<RequestsPage> {
  return asTenant(db, tenantId, async (tx) => {
    const where = conditions(tenantId, accountId, filter);
    const found = await pageOf(tx, tenantId, where, order);
    const backwards = order.before !== undefined;
    const more = found.length > order.size;
    const kept = found.slice(0, order.size);
    if (backwards) kept.reverse();
    const [counts] = await countsOf(tx, tenantId, accountId, filter);
    const [first, last] = [kept[0]?.ref ?? null, kept.at(-1)?.ref ?? null];
    return {
      now: (counts?.now ?? new Date(0)).toISOString(),
      rows: kept.map((row) => rowOf(row, accountId)),
      total: counts?.total ?? 0,
      all: counts?.all ?? 0,
      older: backwards || more ? last : null,
      newer: (backwards ? more : order.after !== undefined) ? first : null,
      views: {
        due: counts?.due ?? 0,
        drift: counts?.drift ?? 0,
        unknown: counts?.unknown ?? 0,
        mine: counts?.mine ?? 0,
      },
      connections: counts?.connections ?? [],
    };
  });
}

const DRIFTS_OPEN = Prisma.sql`(NOT r.mirror_terminal AND ${DRIFTS})`;

/** Where a row stands in the list: open ones first, by the business deadline and else by the platform's. */
function place(row: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${row}.mirror_terminal, coalesce(${row}.business_deadline_at, ${row}.mirror_expires_at,
    '9999-01-01Z'::timestamptz), ${row}.ref`;
}

function dueWithin(hours: number): Prisma.Sql {
  return Prisma.sql`(NOT r.mirror_terminal AND ${EARLIEST} >= ledger_now()
    AND ${EARLIEST} < ledger_now() + make_interval(hours => ${hours}))`;
}

function conditions(tenantId: string, accountId: string, filter: RequestsFilter): Prisma.Sql {
  const all = [Prisma.sql`r.tenant_id = ${tenantId}::uuid`];
  if (filter.status === "unread") all.push(Prisma.sql`r.mirror_status IS NULL`);
  else if (filter.status) all.push(Prisma.sql`r.mirror_status = ${filter.status}`);
  if (filter.connection) all.push(Prisma.sql`c.name = ${filter.connection}`);
  if (filter.drift) all.push(DRIFTS_OPEN);
  if (filter.dueHours !== undefined) all.push(dueWithin(filter.dueHours));
  if (filter.unknown) all.push(Prisma.sql`r.ref IN (${unknownRefs(tenantId)})`);
  if (filter.mine) all.push(Prisma.sql`r.owner_account_id = ${accountId}::uuid`);
  if (filter.q) all.push(Prisma.sql`strpos(lower(r.ref), lower(${filter.q})) > 0`);
  return Prisma.join(all, " AND ");
}

interface FoundRow {
  ref: string;
  connection: string;
  environment: string;
  mirror_status: string | null;
  mirror_raw_status: string | null;
  mirror_read_at: Date | null;
  mirror_signed: number | null;
  mirror_signers: number | null;
  mirror_terminal: boolean;
  zone: string;
  business_deadline_at: Date | null;
  mirror_expires_at: Date | null;
  drift_ms: number | null;
  owner_account_id: string | null;
  flight_op: string | null;
  flight_kind: string | null;
  flight_state: string | null;
  flight_reason: string | null;
  look_kind: string | null;
  look_at: Date | null;
}

async function pageOf(
  tx: Tx,
  tenantId: string,
  where: Prisma.Sql,
  order: RequestsOrder,
): Promise<FoundRow[]> {
  const backwards = order.before !== undefined;
  const neighbour = order.before ?? order.after;
  const ascending = (order.sort === "deadline") !== backwards;
  const direction = Prisma.raw(ascending ? "ASC" : "DESC");
  const beyond = Prisma.raw(ascending ? ">" : "<");
  const from =
    neighbour === undefined
      ? Prisma.empty
      : Prisma.sql`AND (${place(Prisma.sql`r`)}) ${beyond} (SELECT ${place(Prisma.sql`n`)} FROM requests n
          WHERE n.tenant_id = ${tenantId}::uuid AND n.ref = ${neighbour})`;
  return tx.$queryRaw<FoundRow[]>`
    SELECT r.ref, c.name AS connection, c.environment, r.mirror_status, r.mirror_raw_status, r.mirror_read_at,
      r.mirror_signed, r.mirror_signers, r.mirror_terminal, r.zone, r.business_deadline_at, r.mirror_expires_at,
      CASE WHEN ${DRIFTS_OPEN} THEN (${DRIFT_MS})::float8 END AS drift_ms, r.owner_account_id,
      flight.op_id AS flight_op, flight.kind AS flight_kind, flight.state AS flight_state,
      flight.reason AS flight_reason, look.kind AS look_kind, look.at AS look_at
    FROM requests r
    JOIN connections c ON c.tenant_id = r.tenant_id AND c.id = r.connection_id
    LEFT JOIN LATERAL (SELECT o.op_id, o.kind, o.state, o.reason FROM operations o
      WHERE o.tenant_id = r.tenant_id AND o.request_ref = r.ref AND o.state IN
        ('claimed', 'submitting', 'needs_reconcile', 'reconciling', 'quarantined', 'needs_review')
      ORDER BY o.state IN ('quarantined', 'needs_review'), o.changed_at DESC LIMIT 1) flight ON true
    LEFT JOIN LATERAL (SELECT CASE o.state WHEN 'scheduled' THEN o.kind ELSE 'look' END AS kind,
        CASE o.state WHEN 'scheduled' THEN o.due_at ELSE o.next_look_at END AS at
      FROM operations o
      WHERE o.tenant_id = r.tenant_id AND o.request_ref = r.ref AND o.state IN ('scheduled', 'needs_reconcile')
      ORDER BY 2 LIMIT 1) look ON true
    WHERE ${where} ${from}
    ORDER BY r.mirror_terminal ${direction},
      coalesce(r.business_deadline_at, r.mirror_expires_at, '9999-01-01Z'::timestamptz) ${direction},
      r.ref ${direction}
    LIMIT ${order.size + 1}`;
}

interface Counts {
  now: Date;
  total: number;
  all: number;
  due: number;
  drift: number;
  unknown: number;
  mine: number;
  connections: string[];
}

const CONNECTION = Prisma.sql`JOIN connections c ON c.tenant_id = r.tenant_id AND c.id = r.connection_id`;

/** Each count ends at `COUNT_MAX`, so that a long history costs no more than that. */
function countsOf(tx: Tx, tenantId: string, accountId: string, filter: RequestsFilter) {
  const view = (
    asked: RequestsFilter,
  ) => Prisma.sql`(SELECT count(*)::int FROM (SELECT 1 FROM requests r
    ${asked.connection || asked.drift ? CONNECTION : Prisma.empty}
    WHERE ${conditions(tenantId, accountId, asked)} LIMIT ${COUNT_MAX}) found)`;
  return tx.$queryRaw<Counts[]>`
    SELECT ledger_now() AS now, ${view(filter)} AS total, ${view({})} AS all, ${view({ dueHours: 48 })} AS due,
      ${view({ drift: true })} AS drift, ${view({ unknown: true })} AS unknown, ${view({ mine: true })} AS mine,
      ARRAY(SELECT name FROM connections WHERE tenant_id = ${tenantId}::uuid ORDER BY name) AS connections`;
}

function rowOf(row: FoundRow, accountId: string): RequestRow {
  return {
    ref: row.ref,
    connection: row.connection,
    sandbox: row.environment === "sandbox",
    status: row.mirror_status ?? "unread",
    rawStatus: row.mirror_raw_status,
    readAt: row.mirror_read_at?.toISOString() ?? null,
    signed: row.mirror_signed,
    signers: row.mirror_signers,
    zone: row.zone,
    businessDeadlineAt: row.business_deadline_at?.toISOString() ?? null,
    platformExpiresAt: row.mirror_expires_at?.toISOString() ?? null,
    driftMs: row.drift_ms,
    nextLook:
      row.look_kind && row.look_at ? { kind: row.look_kind, at: row.look_at.toISOString() } : null,
    inFlight: flightOf(row),
    owner: ownerOf(row.owner_account_id, accountId),
    ended: row.mirror_terminal,
  };
}

function flightOf(row: FoundRow): OpenOperation | null {
  const { flight_op: opId, flight_kind: kind, flight_state: state, flight_reason: reason } = row;
  if (opId === null || kind === null || state === null || reason === null) return null;
  return { opId, kind, state, reason };
}

function ownerOf(owner: string | null, accountId: string): RequestRow["owner"] {
  if (owner === null) return "nobody";
  return owner === accountId ? "you" : "someone";
}
