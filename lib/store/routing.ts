import type { RoutingRule } from "@/lib/domain/routing";
import type { Tx } from "./db";

/** A rule in force, with the id that items name it by. */
export interface RoutingRuleRow extends RoutingRule {
  readonly id: string;
}

/** The rules in force in their order. */
export async function rulesInForce(tx: Tx, tenantId: string): Promise<RoutingRuleRow[]> {
  return tx.$queryRaw<RoutingRuleRow[]>`
    SELECT id, reason, kind, connection_id AS "connectionId", owner, escalate_to AS "escalateTo",
      escalate_after_minutes AS "escalateAfterMinutes"
    FROM routing_rules WHERE tenant_id = ${tenantId}::uuid AND retired_at IS NULL
    ORDER BY position, id`;
}

/** Lets one person at a time change routing and rota of a tenant, until the transaction ends. */
export async function lockRouting(tx: Tx, tenantId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('routing ' || ${tenantId}, 0))`;
}

/**
 * Puts a rule set in force: `kept` ids keep their rule at a new place, all others in force are retired, and rules
 * without an id are added. Retired rules stay, because items name them.
 */
export async function replaceRules(
  tx: Tx,
  tenantId: string,
  by: string,
  rules: readonly (RoutingRule & { readonly id: string | null })[],
): Promise<void> {
  const placed = JSON.stringify(rules.map((rule, at) => ({ ...rule, position: at + 1 })));
  await tx.$executeRaw`
    WITH wanted AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${placed}::json) AS w(id uuid, position integer, reason text, kind text,
        "connectionId" uuid, owner text, "escalateTo" text, "escalateAfterMinutes" integer)
    ), changed AS (
      UPDATE routing_rules r
      SET position = coalesce((SELECT w.position FROM wanted w WHERE w.id = r.id), r.position),
        retired_at = CASE WHEN EXISTS (SELECT 1 FROM wanted w WHERE w.id = r.id) THEN NULL ELSE ledger_now() END
      WHERE r.tenant_id = ${tenantId}::uuid AND r.retired_at IS NULL
    )
    INSERT INTO routing_rules (tenant_id, id, position, reason, kind, connection_id, owner, escalate_to,
      escalate_after_minutes, created_by)
    SELECT ${tenantId}::uuid, gen_random_uuid(), w.position, w.reason, w.kind, w."connectionId", w.owner,
      w."escalateTo", w."escalateAfterMinutes", ${by}::uuid
    FROM wanted w WHERE w.id IS NULL`;
}

/** An active member as routing sees one. */
export interface RoutedMember {
  readonly accountId: string;
  readonly role: string;
}

/** Everybody who can be an owner: members who are neither removed nor switched off. */
export async function activeMembers(tx: Tx, tenantId: string): Promise<RoutedMember[]> {
  return tx.$queryRaw<RoutedMember[]>`
    SELECT m.account_id AS "accountId", m.role FROM memberships m JOIN accounts a ON a.id = m.account_id
    WHERE m.tenant_id = ${tenantId}::uuid AND m.removed_at IS NULL AND a.disabled_at IS NULL
    ORDER BY m.role, m.account_id`;
}
