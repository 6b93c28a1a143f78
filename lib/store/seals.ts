import type { SealFacts, SealLeaf, StoredSeal } from "@/lib/domain/seal";
import type { Db, Tx } from "./db";

/** A chain that moved since it was last sealed, with how many of its entries are sealed already. */
export interface UnsealedChain extends SealLeaf {
  readonly sealedLength: number;
  /** UTC with microseconds. */
  readonly changedAt: string;
}

/**
 * Tenants whose next seal is due, at most `limit`: the last one is older than `everyMs` or left chains waiting, and a
 * chain moved since. Called as the schema's owner.
 */
export async function tenantsToSeal(
  owner: Db,
  everyMs: number,
  limit: number,
): Promise<readonly string[]> {
  const rows = await owner.$queryRaw<{ id: string }[]>`
    SELECT t.id FROM tenants t
    LEFT JOIN LATERAL (
      SELECT made_at, covered_until, complete FROM seals s WHERE s.tenant_id = t.id ORDER BY seq DESC LIMIT 1
    ) last ON true
    WHERE (last.made_at IS NULL OR NOT last.complete
        OR last.made_at <= ledger_now() - make_interval(secs => ${everyMs / 1000}::float8))
      AND EXISTS (
        SELECT 1 FROM operations o
        WHERE o.tenant_id = t.id AND o.chain_length > 0
          AND o.changed_at >= coalesce(last.covered_until, '-infinity')
          AND NOT EXISTS (SELECT 1 FROM seal_leaves l
            WHERE l.tenant_id = t.id AND l.op_id = o.op_id AND l.length = o.chain_length))
    ORDER BY last.made_at NULLS FIRST, t.id LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/** Takes the sealing of a tenant for this transaction; false while another worker has it. */
export async function takeSealing(tx: Tx, tenantId: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ taken: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${`seals:${tenantId}`}, 0)) AS taken`;
  return row?.taken === true;
}

/** The newest seal of a tenant; null before the first. */
export async function lastSeal(db: Db, tenantId: string): Promise<StoredSeal | null> {
  const [seal] = await db.$queryRaw<StoredSeal[]>`
    SELECT tenant_id AS "tenantId", seq,
      to_char(made_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "madeAt",
      to_char(covered_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "coveredUntil",
      complete, leaves, chains::float8 AS chains, entries::float8 AS entries, root, previous, body, hash
    FROM seals WHERE tenant_id = ${tenantId}::uuid ORDER BY seq DESC LIMIT 1`;
  return seal ?? null;
}

/** Seals in order, at most `limit`, from the one after `after` on. */
export async function sealsAfter(
  db: Db,
  tenantId: string,
  after: number,
  limit: number,
): Promise<readonly StoredSeal[]> {
  return db.$queryRaw<StoredSeal[]>`
    SELECT tenant_id AS "tenantId", seq,
      to_char(made_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "madeAt",
      to_char(covered_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "coveredUntil",
      complete, leaves, chains::float8 AS chains, entries::float8 AS entries, root, previous, body, hash
    FROM seals WHERE tenant_id = ${tenantId}::uuid AND seq > ${after} ORDER BY seq LIMIT ${limit}`;
}

/**
 * Chains that moved at or after `since` and are not sealed at their present length, in the order in which they moved,
 * at most `limit`.
 */
export async function unsealedChains(
  tx: Tx,
  tenantId: string,
  since: string,
  limit: number,
): Promise<readonly UnsealedChain[]> {
  return tx.$queryRaw<UnsealedChain[]>`
    SELECT o.op_id AS "opId", o.chain_length AS length, o.chain_head AS head,
      coalesce(last.length, 0) AS "sealedLength",
      to_char(o.changed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "changedAt"
    FROM operations o
    LEFT JOIN LATERAL (
      SELECT l.length FROM seal_leaves l WHERE l.tenant_id = o.tenant_id AND l.op_id = o.op_id
      ORDER BY l.seal_seq DESC LIMIT 1
    ) last ON true
    WHERE o.tenant_id = ${tenantId}::uuid AND o.changed_at >= ${since}::timestamptz AND o.chain_length > 0
      AND last.length IS DISTINCT FROM o.chain_length
    ORDER BY o.changed_at, o.op_id LIMIT ${limit}`;
}

/** The moments that a seal made now carries: its own, and the one before which everything is visible by now. */
export async function sealMoments(
  tx: Tx,
  settleMs: number,
): Promise<{ readonly madeAt: string; readonly settledUntil: string }> {
  const [row] = await tx.$queryRaw<{ madeAt: string; settledUntil: string }[]>`
    SELECT to_char(now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "madeAt",
      to_char((now - make_interval(secs => ${settleMs / 1000}::float8)) AT TIME ZONE 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "settledUntil"
    FROM (SELECT ledger_now() AS now) t`;
  if (!row) throw new Error("the database gave no time");
  return row;
}

/** Stores one seal. A second one with the same number breaks the key. */
export async function insertSeal(
  tx: Tx,
  facts: SealFacts,
  { body, hash }: { readonly body: string; readonly hash: string },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO seals (tenant_id, seq, made_at, covered_until, complete, leaves, chains, entries, root, previous,
      body, hash)
    VALUES (${facts.tenantId}::uuid, ${facts.seq}, ${facts.madeAt}::timestamptz, ${facts.coveredUntil}::timestamptz,
      ${facts.complete}, ${facts.leaves}, ${facts.chains}::bigint, ${facts.entries}::bigint, ${facts.root},
      ${facts.previous}, ${body}, ${hash})`;
}

/** Stores the leaves of a seal. */
export async function insertLeaves(
  tx: Tx,
  tenantId: string,
  sealSeq: number,
  leaves: readonly SealLeaf[],
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO seal_leaves (tenant_id, op_id, seal_seq, length, head)
    SELECT ${tenantId}::uuid, l.op_id, ${sealSeq}, l.length, l.head
    FROM unnest(${leaves.map(({ opId }) => opId)}::uuid[], ${leaves.map(({ length }) => length)}::integer[],
      ${leaves.map(({ head }) => head)}::text[]) AS l (op_id, length, head)`;
}

/** The leaves of one seal in the order of its tree. */
export async function leavesOf(
  db: Db,
  tenantId: string,
  sealSeq: number,
): Promise<readonly SealLeaf[]> {
  return db.$queryRaw<SealLeaf[]>`
    SELECT op_id AS "opId", length, head FROM seal_leaves
    WHERE tenant_id = ${tenantId}::uuid AND seal_seq = ${sealSeq} ORDER BY op_id`;
}
