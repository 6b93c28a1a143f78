import type { OperationKind } from "@/lib/domain/operation";
import { isReasonCode } from "@/lib/domain/reason";
import { asTenant, type Database, ledgerNow, type Tx } from "@/lib/store/db";
import { Prisma } from "@/lib/store/prisma/client";
import type { HistoryQuery } from "./history-query";
import { type FoundEntry, type HistoryRow, historyRow, MICROS, placeOfEntry } from "./history-row";
import { personsOf } from "./persons";

export interface HistoryMember {
  /** `user:<uuid>`, as history names the person. */
  readonly name: string;
  readonly role: string;
  readonly login: string;
}

export interface HistoryPage {
  readonly now: string;
  readonly rows: readonly HistoryRow[];
  readonly older: string | null;
  readonly newer: string | null;
  readonly count: number;
  readonly more: boolean;
  /** Who can be chosen in the filter; empty for roles that do not prove anything with it. */
  readonly members: readonly HistoryMember[];
  /** The newest seal over the chains, and the newest check of them (SM-4). */
  readonly seal: { readonly seq: number; readonly at: string } | null;
  readonly check: { readonly id: string; readonly at: string; readonly findings: number } | null;
}

/** Counts are exact up to here, then "more than". */
const COUNT_MAX = 10_000;

interface Viewer {
  readonly accountId: string;
  /** Whether logins of members may be shown to choose from. */
  readonly mayProve: boolean;
}

/** One page of who did what, the newest first, over operations and operators (SM-3). */
export async function historyPage(
  db: Database,
  tenantId: string,
  viewer: Viewer,
  query: HistoryQuery,
): Promise<HistoryPage> {
  return asTenant(db, tenantId, async (tx) => {
    const now = (await ledgerNow(tx)).toISOString();
    const { rows, older, newer } = await pageOf(tx, tenantId, query);
    const names = [...new Set(rows.map(({ actor }) => actor))];
    const persons = await personsOf(tx, tenantId, names, viewer.accountId);
    const count = await countOf(tx, tenantId, query);
    return {
      now,
      rows: rows.map((row) => historyRow(row, persons)),
      older,
      newer,
      count: Math.min(count, COUNT_MAX),
      more: count > COUNT_MAX,
      members: viewer.mayProve ? await membersOf(tx, tenantId) : [],
      ...(await proofOf(tx, tenantId)),
    };
  });
}

interface Place {
  readonly micros: string;
  readonly id: string;
  readonly seq: number;
}

async function pageOf(tx: Tx, tenantId: string, query: HistoryQuery) {
  const backwards = query.after === undefined && query.before !== undefined;
  const place = placeIn(query.after ?? query.before);
  const direction = Prisma.raw(backwards ? "ASC" : "DESC");
  const take = query.size + 1;
  const found = await tx.$queryRaw<FoundEntry[]>`
    WITH shown AS (
      SELECT * FROM (${sourcesOf(tenantId, query, place, backwards, take)}) every_source
      ORDER BY at ${direction}, id ${direction}, seq ${direction} LIMIT ${take})
    SELECT s.*, ${MICROS}, r.zone, p.hash AS previous_hash,
      b.id AS before_id, b.started_at AS before_at, b.status AS before_status, b.expires_at AS before_expires_at,
      a.id AS after_id, a.started_at AS after_at, a.status AS after_status, a.expires_at AS after_expires_at
    FROM shown s
    LEFT JOIN requests r ON r.tenant_id = ${tenantId}::uuid AND r.ref = s.request_ref
    LEFT JOIN operation_events p ON p.tenant_id = ${tenantId}::uuid AND p.op_id = s.id AND p.seq = s.seq - 1
    LEFT JOIN LATERAL (SELECT * FROM read_receipts n WHERE n.tenant_id = ${tenantId}::uuid AND n.op_id = s.id
      AND n.purpose = 'before' ORDER BY n.started_at DESC LIMIT 1) b ON s.op_kind IS NOT NULL
    LEFT JOIN LATERAL (SELECT * FROM read_receipts n WHERE n.tenant_id = ${tenantId}::uuid AND n.op_id = s.id
      AND n.purpose <> 'before' ORDER BY n.started_at DESC LIMIT 1) a ON s.op_kind IS NOT NULL
    ORDER BY s.at ${direction}, s.id ${direction}, s.seq ${direction}`;
  const more = found.length > query.size;
  const rows = found.slice(0, query.size);
  if (backwards) rows.reverse();
  const [first, last] = [rows[0], rows.at(-1)];
  const hasNewer = backwards ? more : place !== null;
  return {
    rows,
    newer: hasNewer && first ? placeOfEntry(first) : null,
    older: (backwards || more) && last ? placeOfEntry(last) : null,
  };
}

/** Reads a place of the list; null for anything else, which is then the first page. */
function placeIn(text: string | undefined): Place | null {
  const found = /^(-?\d{1,18})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_(\d{1,9})$/.exec(
    text ?? "",
  );
  return found?.[1] && found[2] ? { micros: found[1], id: found[2], seq: Number(found[3]) } : null;
}

/** The chosen sources, each cut to what one page can need by its own index. */
function sourcesOf(
  tenantId: string,
  query: HistoryQuery,
  place: Place | null,
  backwards: boolean,
  take: number,
): Prisma.Sql {
  const direction = Prisma.raw(backwards ? "ASC" : "DESC");
  const beyond = (id: string) => placeFilter(id, place, backwards);
  const operations = Prisma.sql`(
    SELECT e.at, e.op_id AS id, e.seq, e.actor, e.reason AS action, NULL::text AS about, NULL::text AS reason,
      o.kind AS op_kind, o.request_ref, e.kind AS entry, e.from_state, e.to_state,
      (e.body::json ->> 'version')::int AS version, e.hash
    ${OPERATION_TABLES} WHERE ${operationFilters(tenantId, query)} AND ${beyond("e.op_id")}
    ORDER BY e.at ${direction}, e.op_id ${direction}, e.seq ${direction} LIMIT ${take})`;
  const operators = Prisma.sql`(
    SELECT e.at, e.id, e.seq, e.actor, e.action, e.about, e.reason, NULL::text AS op_kind, NULL::text AS request_ref,
      NULL::text AS entry, NULL::text AS from_state, NULL::text AS to_state, NULL::int AS version, NULL::text AS hash
    FROM operator_entries e WHERE ${operatorFilters(tenantId, query)} AND ${beyond("e.id")}
    ORDER BY e.at ${direction}, e.id ${direction}, e.seq ${direction} LIMIT ${take})`;
  return chosen(query, operations, operators);
}

function chosen(query: HistoryQuery, operations: Prisma.Sql, operators: Prisma.Sql): Prisma.Sql {
  if (query.source === "operations" || isAboutOperations(query)) return operations;
  if (query.source === "operators") return operators;
  return Prisma.sql`${operations} UNION ALL ${operators}`;
}

/** A filter that only an operation can meet. */
function isAboutOperations({ kind, state, request, op, source }: HistoryQuery): boolean {
  const asked = [kind ?? undefined, state ?? undefined, request, op];
  return source !== "operators" && asked.some((one) => one !== undefined);
}

const OPERATION_TABLES = Prisma.sql`FROM operation_events e
  JOIN operations o ON o.tenant_id = e.tenant_id AND o.op_id = e.op_id`;

function placeFilter(id: string, place: Place | null, backwards: boolean): Prisma.Sql {
  if (place === null) return Prisma.sql`true`;
  return Prisma.sql`(e.at, ${Prisma.raw(id)}, e.seq) ${Prisma.raw(backwards ? ">" : "<")} (
    'epoch'::timestamptz + ${place.micros}::bigint * interval '1 microsecond', ${place.id}::uuid, ${place.seq}::int)`;
}

function operationFilters(tenantId: string, query: HistoryQuery): Prisma.Sql {
  const filters = [...commonFilters(tenantId, query)];
  if (query.action) filters.push(actionFilter(query.action));
  if (query.kind) filters.push(...kindFilters(query.kind, query));
  if (query.state) filters.push(stateFilter(query.state));
  if (query.request) filters.push(Prisma.sql`o.request_ref = ${query.request}`);
  if (query.op) filters.push(Prisma.sql`e.op_id = ${query.op}::uuid`);
  // Said once more so that the index over what people did is used.
  if (query.who?.startsWith("user:")) filters.push(Prisma.sql`e.actor LIKE 'user:%'`);
  return Prisma.join(filters, " AND ");
}

/** What every operation goes through; the indexes over reasons and states leave it out. */
const USUAL_REASONS = new Set([
  "awaiting_approval",
  "approved",
  "picked_up",
  "intent_stored",
  "effect_confirmed",
]);
const USUAL_STATES = new Set(["proposed", "scheduled", "claimed", "submitting", "done"]);

/** The reason of a move, or what was noted beside the moves. What is rare says so in the words of its index. */
function actionFilter(action: string): Prisma.Sql {
  if (USUAL_REASONS.has(action)) return Prisma.sql`e.reason = ${action}`;
  const reason = Prisma.sql`e.reason = ${action} AND e.reason NOT IN
    ('awaiting_approval', 'approved', 'picked_up', 'intent_stored', 'effect_confirmed')`;
  if (isReasonCode(action)) return reason;
  return Prisma.sql`(${reason} OR e.kind = ${action} AND e.kind <> 'transition')`;
}

const USUAL_KINDS = new Set<OperationKind>(["send", "remind", "extend"]);

/** An operation has its entries between its making and its last change. */
function kindFilters(kind: OperationKind, { from, to }: HistoryQuery): readonly Prisma.Sql[] {
  const filters = [Prisma.sql`o.kind = ${kind}`];
  if (!USUAL_KINDS.has(kind)) filters.push(Prisma.sql`o.kind NOT IN ('send', 'remind', 'extend')`);
  if (from) filters.push(Prisma.sql`o.changed_at >= ${from}`);
  if (to) filters.push(Prisma.sql`o.created_at < ${to}`);
  return filters;
}

function stateFilter(state: string): Prisma.Sql {
  if (USUAL_STATES.has(state)) return Prisma.sql`e.to_state = ${state}`;
  return Prisma.sql`e.to_state = ${state}
    AND e.to_state NOT IN ('proposed', 'scheduled', 'claimed', 'submitting', 'done')`;
}

function operatorFilters(tenantId: string, query: HistoryQuery): Prisma.Sql {
  const filters = [...commonFilters(tenantId, query)];
  if (query.action) filters.push(Prisma.sql`e.action = ${query.action}`);
  return Prisma.join(filters, " AND ");
}

function commonFilters(tenantId: string, query: HistoryQuery): readonly Prisma.Sql[] {
  const filters = [Prisma.sql`e.tenant_id = ${tenantId}::uuid`];
  if (query.who) filters.push(Prisma.sql`e.actor = ${query.who}`);
  if (query.from) filters.push(Prisma.sql`e.at >= ${query.from}`);
  if (query.to) filters.push(Prisma.sql`e.at < ${query.to}`);
  return filters;
}

async function countOf(tx: Tx, tenantId: string, query: HistoryQuery): Promise<number> {
  const limit = COUNT_MAX + 1;
  const asksForOperation = query.kind !== null || query.request !== undefined;
  const tables = asksForOperation ? OPERATION_TABLES : Prisma.sql`FROM operation_events e`;
  const operations = Prisma.sql`(SELECT 1 ${tables}
    WHERE ${operationFilters(tenantId, query)} LIMIT ${limit})`;
  const operators = Prisma.sql`(SELECT 1 FROM operator_entries e
    WHERE ${operatorFilters(tenantId, query)} LIMIT ${limit})`;
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (SELECT 1 FROM (${chosen(query, operations, operators)}) every_source
      LIMIT ${limit}) counted`;
  return row?.count ?? 0;
}

async function membersOf(tx: Tx, tenantId: string): Promise<HistoryMember[]> {
  return tx.$queryRaw<HistoryMember[]>`
    SELECT 'user:' || m.account_id AS name, m.role, a.login
    FROM memberships m JOIN accounts a ON a.id = m.account_id
    WHERE m.tenant_id = ${tenantId}::uuid ORDER BY a.login LIMIT 500`;
}

async function proofOf(tx: Tx, tenantId: string): Promise<Pick<HistoryPage, "seal" | "check">> {
  const seal = await tx.seal.findFirst({
    where: { tenantId },
    orderBy: { seq: "desc" },
    select: { seq: true, madeAt: true },
  });
  const check = await tx.historyCheck.findFirst({
    where: { tenantId, state: "done" },
    orderBy: [{ askedAt: "desc" }, { id: "desc" }],
    select: { id: true, finishedAt: true, findings: true },
  });
  return {
    seal: seal && { seq: seal.seq, at: seal.madeAt.toISOString() },
    check: check?.finishedAt
      ? { id: check.id, at: check.finishedAt.toISOString(), findings: check.findings }
      : null,
  };
}
