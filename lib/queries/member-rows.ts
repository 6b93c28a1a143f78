import type { SignInMethod } from "@/lib/domain/member-acts";
import type { Role } from "@/lib/domain/role";
import { teamOf } from "@/lib/domain/team";
import type { Tx } from "@/lib/store/db";

/** A member as the console shows one. Instants are RFC 3339 in UTC. */
export interface MemberRow {
  readonly accountId: string;
  /** What the person signs in with; null for viewers who manage nobody. */
  readonly login: string | null;
  readonly role: Role;
  readonly signIn: SignInMethod;
  /** True when the installation's operator has switched the account off. */
  readonly disabled: boolean;
  readonly you: boolean;
  readonly onCallNow: boolean;
  readonly memberSince: string;
  /** In this tenant; null for somebody who was never here. */
  readonly lastSeenAt: string | null;
  /** Review items that are the member's own now. */
  readonly openItems: number;
  /** Operations that the member approved and that have not started; they go to review when the approval is lost. */
  readonly approvedWaiting: number;
  /** Running and coming shifts of the rota. */
  readonly shifts: number;
  /** The only admin who can sign in, and so not to be removed or demoted. */
  readonly lastAdmin: boolean;
}

export interface MemberViewer {
  readonly accountId: string;
  /** Whether logins may be shown. */
  readonly manages: boolean;
}

interface FoundMember {
  id: string;
  login: string;
  role: Role;
  has_password: boolean;
  has_identity: boolean;
  disabled: boolean;
  created_at: Date;
  last_seen_at: Date | null;
  open_items: number;
  waiting: number;
  shifts: number;
  on_call: string[];
  admins: number;
}

/** The members of a tenant by role and account, or the one that is named. */
export async function memberRows(
  tx: Tx,
  tenantId: string,
  viewer: MemberViewer,
  accountId: string | null,
): Promise<readonly MemberRow[]> {
  const rows = await tx.$queryRaw<FoundMember[]>`
    WITH waiting AS (
      SELECT a.account_id, count(*)::int AS count
      FROM operations o
      JOIN operations c ON c.tenant_id = o.tenant_id AND c.op_id = coalesce(o.approved_with_op_id, o.op_id)
      JOIN approvals a ON a.tenant_id = c.tenant_id AND a.op_id = c.op_id AND a.version = c.version
        AND a.payload_hash = c.payload_hash AND a.decision = 'approve' AND a.revoked_at IS NULL
      WHERE o.tenant_id = ${tenantId}::uuid AND o.state = 'scheduled' GROUP BY 1
    ), items AS (
      SELECT owner, count(*)::int AS count FROM review_items
      WHERE tenant_id = ${tenantId}::uuid AND closed_at IS NULL AND owner LIKE 'account:%' GROUP BY 1
    )
    SELECT m.account_id AS id, p.login, m.role, p.password_hash IS NOT NULL AS has_password,
      EXISTS (SELECT 1 FROM account_identities i WHERE i.account_id = p.id) AS has_identity,
      p.disabled_at IS NOT NULL AS disabled, m.created_at, m.last_seen_at,
      coalesce(items.count, 0) AS open_items, coalesce(waiting.count, 0) AS waiting,
      (SELECT count(*)::int FROM rota_shifts s WHERE s.tenant_id = m.tenant_id AND s.account_id = m.account_id
        AND s.retired_at IS NULL AND s.ends_at > ledger_now()) AS shifts,
      ARRAY(SELECT s.team FROM rota_shifts s WHERE s.tenant_id = m.tenant_id AND s.account_id = m.account_id
        AND s.retired_at IS NULL AND s.starts_at <= ledger_now() AND s.ends_at > ledger_now()) AS on_call,
      (SELECT count(*)::int FROM memberships n JOIN accounts q ON q.id = n.account_id
        WHERE n.tenant_id = m.tenant_id AND n.role = 'admin' AND n.removed_at IS NULL
          AND q.disabled_at IS NULL) AS admins
    FROM memberships m JOIN accounts p ON p.id = m.account_id
    LEFT JOIN waiting ON waiting.account_id = m.account_id
    LEFT JOIN items ON items.owner = 'account:' || m.account_id
    WHERE m.tenant_id = ${tenantId}::uuid AND m.removed_at IS NULL
      AND (${accountId}::uuid IS NULL OR m.account_id = ${accountId}::uuid)
    ORDER BY m.role, m.account_id LIMIT 1000`;
  return rows.map((row) => memberRow(row, viewer));
}

function memberRow(row: FoundMember, viewer: MemberViewer): MemberRow {
  const { id, role, disabled } = row;
  return {
    accountId: id,
    login: viewer.manages ? row.login : null,
    role,
    signIn: methodOf(row),
    disabled,
    you: id === viewer.accountId,
    onCallNow: row.on_call.includes(teamOf(role)),
    memberSince: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
    openItems: row.open_items,
    approvedWaiting: row.waiting,
    shifts: row.shifts,
    lastAdmin: role === "admin" && !disabled && row.admins === 1,
  };
}

function methodOf({ has_password, has_identity }: FoundMember): SignInMethod {
  if (has_password) return has_identity ? "both" : "password";
  return has_identity ? "provider" : "none";
}
