import type { Asked } from "@/lib/domain/asked";
import { DEFAULT_POLICY, PolicySchema } from "@/lib/domain/policy";
import type { Role } from "@/lib/domain/role";
import { asTenant, type Database, type Tx } from "@/lib/store/db";
import { Prisma } from "@/lib/store/prisma/client";
import { askedOf } from "./asked";
import { type Person, personsOf } from "./persons";

export const APPROVAL_TABS = ["mine", "others", "proposed_by_me", "decided"] as const;
export type ApprovalTab = (typeof APPROVAL_TABS)[number];

/** The person who looks: what waits for them depends on role and on what they did before. */
export interface Viewer {
  readonly accountId: string;
  readonly role: Role | null;
}

export interface ApprovalRow {
  readonly opId: string;
  readonly kind: string;
  readonly requestRef: string;
  readonly state: string;
  readonly reason: string;
  readonly version: number;
  readonly asked: Asked | null;
  readonly zone: string;
  readonly proposedBy: Person;
  readonly createdAt: string;
  readonly changedAt: string;
  readonly have: number;
  readonly need: number;
  readonly approvalExpiresAt: string | null;
  readonly earliestClock: { readonly clock: "business" | "platform"; readonly at: string } | null;
  readonly mirror: { readonly status: string | null; readonly readAt: string | null };
}

export interface ApprovalsPage {
  readonly now: string;
  readonly rows: readonly ApprovalRow[];
  readonly older: string | null;
  readonly counts: Record<ApprovalTab, number>;
}

export interface ApprovalsQuery {
  readonly tab: ApprovalTab;
  readonly kind?: string | undefined;
  readonly request?: string | undefined;
  readonly after?: string | undefined;
  readonly size: number;
}

/** Decided ones stay in the list for so many days. */
const DECIDED_DAYS = 30;

/**
 * One page of approvals (AP-5). Waiting ones come in the order in which something is lost: the approval's end,
 * the platform's expiry or the business deadline, whichever is first. Decided ones come newest first.
 */
export async function approvalsPage(
  db: Database,
  tenantId: string,
  viewer: Viewer,
  query: ApprovalsQuery,
): Promise<ApprovalsPage> {
  return asTenant(db, tenantId, async (tx) => {
    const found = await pageOf(tx, tenantId, viewer, query);
    const kept = found.slice(0, query.size);
    const [counts] = await countsOf(tx, tenantId, viewer);
    const names = kept.map((row) => row.edited_by ?? row.proposed_by);
    const persons = await personsOf(tx, tenantId, names, viewer.accountId);
    return {
      now: (counts?.now ?? new Date(0)).toISOString(),
      rows: kept.map((row) => rowOf(row, persons)),
      older: found.length > query.size ? (kept.at(-1)?.op_id ?? null) : null,
      counts: {
        mine: counts?.mine ?? 0,
        others: counts?.others ?? 0,
        proposed_by_me: counts?.proposed_by_me ?? 0,
        decided: counts?.decided ?? 0,
      },
    };
  });
}

/** The next proposal that waits for this person apart from the given one, and how many do. */
export async function nextWaiting(
  tx: Tx,
  tenantId: string,
  viewer: Viewer,
  exceptOpId: string,
): Promise<{ readonly opId: string | null; readonly count: number }> {
  const rows = await tx.$queryRaw<{ op_id: string; count: number }[]>`
    SELECT o.op_id, (count(*) OVER ())::int AS count ${OPERATIONS}
    WHERE ${tabOf("mine", tenantId, viewer)} AND o.op_id <> ${exceptOpId}::uuid
    ORDER BY ${LOSES_AT}, o.op_id LIMIT 1`;
  return { opId: rows[0]?.op_id ?? null, count: rows[0]?.count ?? 0 };
}

/** References of requests with a proposal that waits for this person, as a subquery. */
export function requestsWaitingFor(tenantId: string, viewer: Viewer): Prisma.Sql {
  return Prisma.sql`SELECT o.request_ref ${OPERATIONS} WHERE ${tabOf("mine", tenantId, viewer)}`;
}

const OPERATIONS = Prisma.sql`FROM operations o
  JOIN requests r ON r.tenant_id = o.tenant_id AND r.ref = o.request_ref
  LEFT JOIN policies p ON p.tenant_id = o.tenant_id AND p.kind = o.kind AND p.version = o.policy_version`;

const LOSES_AT = Prisma.sql`coalesce(
  least(o.approval_expires_at, r.mirror_expires_at, r.business_deadline_at), 'infinity')`;

function tabOf(tab: ApprovalTab, tenantId: string, viewer: Viewer): Prisma.Sql {
  const tenant = Prisma.sql`o.tenant_id = ${tenantId}::uuid`;
  const me = `user:${viewer.accountId}`;
  const own = Prisma.sql`(o.proposed_by = ${me} OR (o.edited_by = ${me}) IS TRUE
    OR o.proposed_by IN (SELECT 'key:' || k.id FROM api_keys k
      WHERE k.tenant_id = o.tenant_id AND k.created_by = ${viewer.accountId}::uuid))`;
  const waiting = Prisma.sql`${tenant} AND o.state = 'proposed'
    AND coalesce(o.approval_expires_at > ledger_now(), true)`;
  const approved = Prisma.sql`EXISTS (SELECT 1 FROM approvals a WHERE a.tenant_id = o.tenant_id
    AND a.op_id = o.op_id AND a.account_id = ${viewer.accountId}::uuid AND a.revoked_at IS NULL
    AND a.version = o.version)`;
  const allowed = Prisma.sql`(coalesce(p.body::jsonb -> 'approverRoles', '["account_manager"]') ? ${viewer.role ?? ""}
    AND NOT ${approved} AND NOT (coalesce((p.body::jsonb ->> 'fourEyes')::boolean, true) AND ${own}))`;
  switch (tab) {
    case "mine":
      return Prisma.sql`${waiting} AND ${allowed}`;
    case "others":
      return Prisma.sql`${waiting} AND NOT ${allowed} AND NOT ${own}`;
    case "proposed_by_me":
      return Prisma.sql`${waiting} AND ${own}`;
    case "decided":
      return Prisma.sql`${tenant} AND o.changed_at > ledger_now() - make_interval(days => ${DECIDED_DAYS})
        AND (o.approved_at IS NOT NULL
          OR o.reason IN ('rejected', 'withdrawn', 'approval_expired') AND o.state = 'obsolete')`;
  }
}

interface FoundRow {
  op_id: string;
  kind: string;
  request_ref: string;
  state: string;
  reason: string;
  version: number;
  canonical_text: string;
  zone: string;
  proposed_by: string;
  edited_by: string | null;
  created_at: Date;
  changed_at: Date;
  have: number;
  policy: string | null;
  approval_expires_at: Date | null;
  business_deadline_at: Date | null;
  mirror_expires_at: Date | null;
  mirror_status: string | null;
  mirror_read_at: Date | null;
}

function pageOf(tx: Tx, tenantId: string, viewer: Viewer, query: ApprovalsQuery) {
  const decided = query.tab === "decided";
  const filters = [tabOf(query.tab, tenantId, viewer)];
  if (query.kind) filters.push(Prisma.sql`o.kind = ${query.kind}`);
  if (query.request) filters.push(Prisma.sql`o.request_ref = ${query.request}`);
  const key = decided ? Prisma.sql`o.changed_at` : LOSES_AT;
  if (query.after) {
    const beyond = Prisma.raw(decided ? "<" : ">");
    filters.push(Prisma.sql`(${key}, o.op_id) ${beyond} (SELECT ${key}, o.op_id ${OPERATIONS}
      WHERE o.tenant_id = ${tenantId}::uuid AND o.op_id = ${query.after}::uuid)`);
  }
  const direction = Prisma.raw(decided ? "DESC" : "ASC");
  return tx.$queryRaw<FoundRow[]>`
    SELECT o.op_id, o.kind, o.request_ref, o.state, o.reason, o.version, o.canonical_text, r.zone, o.proposed_by,
      o.edited_by, o.created_at, o.changed_at, p.body AS policy, o.approval_expires_at, r.business_deadline_at,
      r.mirror_expires_at, r.mirror_status, r.mirror_read_at,
      (SELECT count(*)::int FROM approvals a WHERE a.tenant_id = o.tenant_id AND a.op_id = o.op_id
        AND a.decision = 'approve' AND a.version = o.version AND a.revoked_at IS NULL) AS have
    ${OPERATIONS}
    WHERE ${Prisma.join(filters, " AND ")}
    ORDER BY ${key} ${direction}, o.op_id ${direction}
    LIMIT ${query.size + 1}`;
}

type Counts = { now: Date } & Record<ApprovalTab, number>;

function countsOf(tx: Tx, tenantId: string, viewer: Viewer) {
  const count = (tab: ApprovalTab) =>
    Prisma.sql`(SELECT count(*)::int ${OPERATIONS} WHERE ${tabOf(tab, tenantId, viewer)})`;
  return tx.$queryRaw<Counts[]>`SELECT ledger_now() AS now, ${count("mine")} AS mine,
    ${count("others")} AS others, ${count("proposed_by_me")} AS proposed_by_me, ${count("decided")} AS decided`;
}

function rowOf(row: FoundRow, persons: ReadonlyMap<string, Person>): ApprovalRow {
  const author = row.edited_by ?? row.proposed_by;
  const rule = row.policy === null ? DEFAULT_POLICY : PolicySchema.parse(JSON.parse(row.policy));
  return {
    opId: row.op_id,
    kind: row.kind,
    requestRef: row.request_ref,
    state: row.state,
    reason: row.reason,
    version: row.version,
    asked: askedOf(row.canonical_text),
    zone: row.zone,
    proposedBy: persons.get(author) ?? { name: author, role: null, mark: "system", you: false },
    createdAt: row.created_at.toISOString(),
    changedAt: row.changed_at.toISOString(),
    have: row.have,
    need: rule.quorum,
    approvalExpiresAt: row.approval_expires_at?.toISOString() ?? null,
    earliestClock: earliestOf(row.business_deadline_at, row.mirror_expires_at),
    mirror: { status: row.mirror_status, readAt: row.mirror_read_at?.toISOString() ?? null },
  };
}

function earliestOf(business: Date | null, platform: Date | null): ApprovalRow["earliestClock"] {
  if (platform !== null && (business === null || platform < business)) {
    return { clock: "platform", at: platform.toISOString() };
  }
  return business === null ? null : { clock: "business", at: business.toISOString() };
}
