import { Prisma } from "@/lib/store/prisma/client";
import { requestsWaitingFor, type Viewer } from "./approvals-page";
import { EARLIEST } from "./deadlines-keyset";
import { type DeadlinesQuery, hoursOf } from "./deadlines-query";

/** Milliseconds by which a platform's rounding may move an expiry (C-24); a day where it counts days. */
const ROUNDING_MS = Prisma.sql`CASE c.descriptor::json #>> '{expiryForm,kind}'
  WHEN 'relative_days' THEN 86400000
  ELSE coalesce((c.descriptor::json #>> '{expiryForm,granularityMs}')::bigint, 1) END`;

/** Platform expiry minus business deadline in milliseconds: positive when the platform ends it later. */
export const DRIFT_MS = Prisma.sql`round(extract(epoch FROM r.mirror_expires_at - r.business_deadline_at) * 1000)`;

/** True when the two clocks differ by more than the platform's rounding; its first half is an index's condition. */
export const DRIFTS = Prisma.sql`(r.mirror_expires_at <> r.business_deadline_at
  AND abs(${DRIFT_MS}) >= ${ROUNDING_MS})`;

/** Reasons that say that the clocks or states of a request do not agree. */
const CONFLICT_REASONS = [
  "drift_status",
  "drift_expiry",
  "drift_missing",
  "clocks_disagree",
  "zone_rules_changed",
];

/** The newest open review item about the clocks of the request `r`. */
export const CONFLICT = Prisma.sql`SELECT i.reason FROM review_items i
  WHERE i.tenant_id = r.tenant_id AND i.request_ref = r.ref AND i.op_id IS NULL AND i.settled_at IS NULL
    AND i.reason IN (${Prisma.join(CONFLICT_REASONS)})`;

const OPEN_STATES = Prisma.sql`('proposed', 'scheduled', 'claimed', 'submitting', 'needs_reconcile', 'reconciling',
  'quarantined', 'needs_review')`;

type Filter = Omit<DeadlinesQuery, "by" | "size" | "after" | "before" | "also">;

/** The conditions of a filter on open requests `r` with their connection `c`, joined by AND. */
export function deadlineConditions(
  tenantId: string,
  viewer: Viewer,
  filter: Partial<Filter>,
): Prisma.Sql {
  const all = [Prisma.sql`r.tenant_id = ${tenantId}::uuid AND NOT r.mirror_terminal`];
  if (filter.due !== undefined) all.push(dueWithin(hoursOf(filter.due)));
  if (filter.passed) all.push(Prisma.sql`${EARLIEST} < ledger_now()`);
  if (filter.unknown) all.push(Prisma.sql`r.ref IN (${unknownRefs(tenantId)})`);
  if (filter.waiting) all.push(Prisma.sql`r.ref IN (${requestsWaitingFor(tenantId, viewer)})`);
  if (filter.drift) all.push(DRIFTS);
  if (filter.clock_conflict) all.push(Prisma.sql`EXISTS (${CONFLICT})`);
  if (filter.owner) all.push(Prisma.sql`r.owner_account_id = ${viewer.accountId}::uuid`);
  if (filter.status === "unread") all.push(Prisma.sql`r.mirror_status IS NULL`);
  else if (filter.status) all.push(Prisma.sql`r.mirror_status = ${filter.status}`);
  if (filter.connection) all.push(Prisma.sql`c.name = ${filter.connection}`);
  if (filter.kind) {
    all.push(Prisma.sql`EXISTS (SELECT 1 FROM operations k WHERE k.tenant_id = r.tenant_id
      AND k.request_ref = r.ref AND k.kind = ${filter.kind} AND k.state IN ${OPEN_STATES})`);
  }
  if (filter.q) all.push(Prisma.sql`strpos(lower(r.ref), lower(${filter.q})) > 0`);
  return Prisma.join(all, " AND ");
}

function dueWithin(hours: number): Prisma.Sql {
  return Prisma.sql`${EARLIEST} >= ledger_now() AND ${EARLIEST} < ledger_now() + make_interval(hours => ${hours})`;
}

/** References of requests with an effect that is not known, as a subquery. */
export function unknownRefs(tenantId: string): Prisma.Sql {
  return Prisma.sql`SELECT u.request_ref FROM operations u
    WHERE u.tenant_id = ${tenantId}::uuid AND u.state IN ('needs_reconcile', 'reconciling')`;
}
