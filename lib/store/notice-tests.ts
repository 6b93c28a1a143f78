import { asAccount, type Database, type Tx } from "./db";

/** A tenant of which the person is an active member, always the same one; null when there is none. */
export async function tenantOfMember(db: Database, accountId: string): Promise<string | null> {
  const [row] = await asAccount(
    db,
    accountId,
    (tx) => tx.$queryRaw<{ tenantId: string }[]>`
      SELECT tenant_id AS "tenantId" FROM memberships
      WHERE account_id = ${accountId}::uuid AND removed_at IS NULL ORDER BY created_at, tenant_id LIMIT 1`,
  );
  return row?.tenantId ?? null;
}

/** Writes a notice that is a test, planned and closed at once; its deliveries are the caller's. Returns its id. */
export async function insertTestNotice(
  tx: Tx,
  tenantId: string,
  test: { readonly audience: string; readonly path: string },
): Promise<string> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO notices (tenant_id, id, matter, audience, kind, escalation, count, path, planned_at, closed_at,
      closed_why)
    VALUES (${tenantId}::uuid, gen_random_uuid(), 'test', ${test.audience}, 'test', false, 1, ${test.path},
      ledger_now(), ledger_now(), 'quiet')
    RETURNING id`;
  if (!row) throw new Error("an inserted row is returned");
  return row.id;
}

/** How many tests an audience had in the last `windowMs` milliseconds. */
export async function testsSince(
  tx: Tx,
  tenantId: string,
  audience: string,
  windowMs: number,
): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM notices
    WHERE tenant_id = ${tenantId}::uuid AND kind = 'test' AND audience = ${audience}
      AND opened_at > ledger_now() - ${windowMs}::integer * interval '1 millisecond'`;
  return row?.count ?? 0;
}
