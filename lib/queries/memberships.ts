import type { Role } from "@/lib/domain/role";
import { asAccount, asTenant, type Database } from "@/lib/store/db";
import { breachedReviews } from "./breached-reviews";
import { SEEN_EVERY } from "./seen-every";

export interface Membership {
  readonly tenant: { readonly id: string; readonly slug: string; readonly name: string };
  readonly role: Role;
  /** True for a membership that has ended. It gives access to nothing. */
  readonly removed: boolean;
  /** True when the member was last seen here longer than a few minutes ago, or never. */
  readonly seenLongAgo: boolean;
}

/** What an account is, or was, in the tenant of that name; null when it never was a member or there is none. */
export async function membershipIn(
  db: Database,
  accountId: string,
  slug: string,
): Promise<Membership | null> {
  const found = await membershipsWhere(db, accountId);
  return found.find((membership) => membership.tenant.slug === slug) ?? null;
}

/** Every tenant that the account is a member of now, by name. */
export async function membershipsOf(
  db: Database,
  accountId: string,
): Promise<readonly Membership[]> {
  const found = await membershipsWhere(db, accountId);
  return found.filter((membership) => !membership.removed);
}

async function membershipsWhere(db: Database, accountId: string): Promise<readonly Membership[]> {
  const rows = await asAccount(
    db,
    accountId,
    (tx) => tx.$queryRaw<
      {
        id: string;
        slug: string;
        name: string;
        role: Role;
        removed: boolean;
        seenLongAgo: boolean;
      }[]
    >`
      SELECT t.id, t.slug, t.name, m.role, m.removed_at IS NOT NULL AS removed,
        (m.last_seen_at > ledger_now() - make_interval(mins => ${SEEN_EVERY}::int)) IS NOT TRUE AS "seenLongAgo"
      FROM memberships m JOIN tenants t ON t.id = m.tenant_id
      WHERE m.account_id = ${accountId}::uuid ORDER BY t.name, t.id`,
  );
  return rows.map(({ role, removed, seenLongAgo, ...tenant }) => ({
    tenant,
    role,
    removed,
    seenLongAgo,
  }));
}

export interface TenantCounts {
  /** Proposals that this person may still decide. */
  readonly waitingForMe: number;
  readonly reviewsOpen: number;
  /** Open review items older than the limit of their consequence. */
  readonly reviewsBreached: number;
  readonly unknown: number;
  readonly live: boolean;
  readonly paused: boolean;
}

/** The figures of one tenant that its badges, the tenant list and the environment band show. */
export async function tenantCounts(
  db: Database,
  tenantId: string,
  account: { readonly id: string; readonly role: Role },
): Promise<TenantCounts> {
  return asTenant(db, tenantId, async (tx) => {
    const me = `user:${account.id}`;
    const mayApprove = account.role === "account_manager";
    const [row] = await tx.$queryRaw<Omit<TenantCounts, "reviewsBreached">[]>`
      SELECT
        (SELECT count(*)::int FROM operations o
          WHERE ${mayApprove} AND o.tenant_id = ${tenantId}::uuid AND o.state = 'proposed'
            AND o.proposed_by <> ${me} AND o.edited_by IS DISTINCT FROM ${me}
            AND (o.approval_expires_at IS NULL OR o.approval_expires_at > ledger_now())
            AND NOT EXISTS (SELECT 1 FROM approvals a WHERE a.tenant_id = o.tenant_id AND a.op_id = o.op_id
              AND a.account_id = ${account.id}::uuid AND a.version = o.version AND a.revoked_at IS NULL)
        ) AS "waitingForMe",
        (SELECT count(*)::int FROM review_items r
          WHERE r.tenant_id = ${tenantId}::uuid AND r.settled_at IS NULL) AS "reviewsOpen",
        (SELECT count(*)::int FROM operations o
          WHERE o.tenant_id = ${tenantId}::uuid AND o.state IN ('needs_reconcile', 'reconciling')) AS "unknown",
        EXISTS (SELECT 1 FROM connections c
          WHERE c.tenant_id = ${tenantId}::uuid AND c.environment = 'live') AS "live",
        EXISTS (SELECT 1 FROM pauses p WHERE p.resumed_at IS NULL)
          OR EXISTS (SELECT 1 FROM connections c
            WHERE c.tenant_id = ${tenantId}::uuid AND c.paused_at IS NOT NULL) AS "paused"`;
    if (!row) throw new Error("the database gave no counts");
    const reviewsBreached = row.reviewsOpen === 0 ? 0 : await breachedReviews(tx, tenantId);
    return { ...row, reviewsBreached };
  });
}

export interface TenantRow extends TenantCounts {
  readonly slug: string;
  readonly name: string;
  readonly role: Role;
}

/** The account's tenants with their figures: breached reviews first, then what waits for the person. */
export async function tenantRows(db: Database, accountId: string): Promise<readonly TenantRow[]> {
  const memberships = await membershipsOf(db, accountId);
  const rows = await Promise.all(
    memberships.map(async ({ tenant, role }) => ({
      slug: tenant.slug,
      name: tenant.name,
      role,
      ...(await tenantCounts(db, tenant.id, { id: accountId, role })),
    })),
  );
  return rows.sort(
    (left, right) =>
      right.reviewsBreached - left.reviewsBreached ||
      right.waitingForMe - left.waitingForMe ||
      left.name.localeCompare(right.name),
  );
}
