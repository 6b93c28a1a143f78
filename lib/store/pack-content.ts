import type { PackScope } from "@/lib/domain/history-scope";
import type { PackedOperation, PackFacts } from "@/lib/domain/pack";
import type { SealLeaf } from "@/lib/domain/seal";
import { Prisma } from "@/lib/store/prisma/client";
import type { Tx } from "./db";
import { within } from "./history-suspects";
import { pagesOf } from "./snapshot";

/** The RFC 3339 text of a time, in UTC with microseconds. */
const utc = (time: string) =>
  Prisma.raw(`to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`);

/** Lines of operations.jsonl, and how many entries they hold. */
export interface OperationLines {
  readonly lines: string;
  readonly entries: number;
}

/** The ids of a scope's operations in their order, found once, `size` at a time. Within a snapshot. */
export async function* operationsOfScope(
  tx: Tx,
  tenantId: string,
  scope: PackScope,
  size: number,
): AsyncGenerator<readonly string[]> {
  const query = Prisma.sql`SELECT o.op_id::text AS id FROM operations o
    WHERE o.tenant_id = ${tenantId}::uuid AND ${within(scope)} ORDER BY o.op_id`;
  for await (const page of pagesOf<{ id: string }>(tx, "operations_of_scope", query, size)) {
    yield page.map(({ id }) => id);
  }
}

/**
 * Operations by their ids, each as one line of JSON with everything that is known of it, in order of the ids. Texts
 * that hashes were taken over are in it as they are stored.
 */
export async function operationLines(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<OperationLines> {
  const [row] = await tx.$queryRaw<{ lines: string | null; entries: number }[]>`
    SELECT string_agg(line::text || E'\n', '' ORDER BY op_id) AS lines,
      coalesce(sum(chain_length), 0)::integer AS entries
    FROM (
      SELECT o.op_id, o.chain_length, ${OPERATION} AS line FROM operations o
      WHERE o.tenant_id = ${tenantId}::uuid AND o.op_id = ANY(${[...ids]}::uuid[])
    ) page`;
  return { lines: row?.lines ?? "", entries: row?.entries ?? 0 };
}

const OPERATION = Prisma.sql`jsonb_build_object(
  'op', o.op_id, 'key', o.op_key, 'kind', o.kind, 'request', o.request_ref, 'connection', o.connection_id,
  'state', o.state, 'reason', o.reason, 'version', o.version, 'payload_hash', o.payload_hash,
  'policy_version', o.policy_version, 'proposed_by', o.proposed_by, 'created_at', ${utc("o.created_at")},
  'approved_at', ${utc("o.approved_at")}, 'due_at', ${utc("o.due_at")}, 'platform_ref', o.platform_ref,
  'supersedes', o.supersedes_op_id, 'successor', o.successor_op_id,
  'chain', jsonb_build_object('length', o.chain_length, 'head', o.chain_head),
  'leaf', (SELECT jsonb_build_object('seal', l.seal_seq, 'length', l.length, 'head', l.head) FROM seal_leaves l
    WHERE l.tenant_id = o.tenant_id AND l.op_id = o.op_id ORDER BY l.seal_seq DESC LIMIT 1),
  'payloads', (SELECT jsonb_agg(jsonb_build_object('version', v.version, 'text', v.canonical_text,
      'hash', v.payload_hash, 'author', v.author, 'at', ${utc("v.at")}, 'removed_at', CASE WHEN v.canonical_text = '{}' THEN
        (SELECT ${utc("t.at")} FROM operation_tombstones t
          WHERE t.tenant_id = v.tenant_id AND t.op_id = v.op_id AND t.why = 'retention') END) ORDER BY v.version)
    FROM operation_versions v WHERE v.tenant_id = o.tenant_id AND v.op_id = o.op_id),
  'approvals', (SELECT coalesce(jsonb_agg(jsonb_build_object('account', a.account_id, 'decision', a.decision,
      'version', a.version, 'payload_hash', a.payload_hash, 'receipt', a.receipt_id, 'at', ${utc("a.at")},
      'revoked_at', ${utc("a.revoked_at")}) ORDER BY a.at, a.account_id), '[]')
    FROM approvals a WHERE a.tenant_id = o.tenant_id AND a.op_id = o.op_id),
  'attempts', (SELECT coalesce(jsonb_agg(jsonb_build_object('fence', t.fence, 'intent_at', ${utc("t.intent_at")},
      'reported_at', ${utc("t.reported_at")}, 'outcome', t.outcome, 'late', t.late) ORDER BY t.fence), '[]')
    FROM attempts t WHERE t.tenant_id = o.tenant_id AND t.op_id = o.op_id),
  'receipts', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'purpose', r.purpose, 'outcome', r.outcome,
      'started_at', ${utc("r.started_at")}, 'finished_at', ${utc("r.finished_at")}, 'body', r.body, 'hash', r.hash)
      ORDER BY r.started_at, r.id), '[]')
    FROM read_receipts r WHERE r.tenant_id = o.tenant_id AND r.id IN (
      SELECT m.id FROM read_receipts m WHERE m.tenant_id = o.tenant_id AND m.op_id = o.op_id
      UNION SELECT a.receipt_id FROM approvals a WHERE a.tenant_id = o.tenant_id AND a.op_id = o.op_id)),
  'entries', (SELECT jsonb_agg(jsonb_build_object('seq', e.seq, 'body', e.body, 'hash', e.hash) ORDER BY e.seq)
    FROM operation_events e WHERE e.tenant_id = o.tenant_id AND e.op_id = o.op_id))`;

/** A leaf of a seal; `wanted` when its chain is of the scope and no later seal has it again. */
export interface LeafForProof extends SealLeaf {
  readonly seal: number;
  readonly wanted: boolean;
}

/**
 * All leaves of the seals under which the chains of a scope lie, each chain under its newest: seal by seal and within
 * a seal in the order of its tree, `size` at a time. Within a snapshot.
 */
export function leavesForProofs(
  tx: Tx,
  tenantId: string,
  scope: PackScope,
  size: number,
): AsyncGenerator<readonly LeafForProof[]> {
  const query = Prisma.sql`
    WITH newest AS MATERIALIZED (
      SELECT o.op_id, (SELECT max(l.seal_seq) FROM seal_leaves l
        WHERE l.tenant_id = o.tenant_id AND l.op_id = o.op_id) AS seal_seq
      FROM operations o WHERE o.tenant_id = ${tenantId}::uuid AND ${within(scope)}
    )
    SELECT l.seal_seq AS seal, l.op_id::text AS "opId", l.length, l.head, n.op_id IS NOT NULL AS wanted
    FROM seal_leaves l LEFT JOIN newest n ON n.op_id = l.op_id AND n.seal_seq = l.seal_seq
    WHERE l.tenant_id = ${tenantId}::uuid AND l.seal_seq IN (SELECT seal_seq FROM newest)
    ORDER BY l.seal_seq, l.op_id`;
  return pagesOf<LeafForProof>(tx, "leaves_for_proofs", query, size);
}

/** Lines of seals.jsonl behind the seal `after`, at most `size`, and the number of the last of them. */
export async function sealLines(
  tx: Tx,
  tenantId: string,
  after: number,
  size: number,
): Promise<{ readonly lines: string; readonly last: number | null }> {
  const [row] = await tx.$queryRaw<{ lines: string | null; last: number | null }[]>`
    SELECT string_agg(line::text || E'\n', '' ORDER BY seq) AS lines, max(seq) AS last FROM (
      SELECT s.seq, jsonb_build_object('body', s.body, 'hash', s.hash, 'stamp',
        (SELECT jsonb_build_object('authority', p.authority, 'at', ${utc("p.stamped_at")},
            'token', translate(encode(p.token, 'base64'), E'\n', ''))
          FROM seal_stamps p WHERE p.tenant_id = s.tenant_id AND p.seal_seq = s.seq)) AS line
      FROM seals s WHERE s.tenant_id = ${tenantId}::uuid AND s.seq > ${after} ORDER BY s.seq LIMIT ${size}
    ) page`;
  return { lines: row?.lines ?? "", last: row?.last ?? null };
}

/** What the summary of a pack says in figures. */
export async function packFacts(tx: Tx, tenantId: string, scope: PackScope): Promise<PackFacts> {
  const [row] = await tx.$queryRaw<PackFacts[]>`
    WITH own AS MATERIALIZED (
      SELECT o.op_id, o.kind, o.state, o.chain_length, o.created_at, o.changed_at FROM operations o
      WHERE o.tenant_id = ${tenantId}::uuid AND ${within(scope)}
    ), decided AS (
      SELECT a.account_id FROM own JOIN approvals a ON a.tenant_id = ${tenantId}::uuid AND a.op_id = own.op_id
      WHERE a.decision = 'approve' AND a.revoked_at IS NULL
    )
    SELECT (SELECT count(*)::integer FROM own) AS operations,
      (SELECT coalesce(sum(chain_length), 0)::integer FROM own) AS entries,
      (SELECT ${utc("min(created_at)")} FROM own) AS "firstEntryAt",
      (SELECT ${utc("max(changed_at)")} FROM own) AS "lastEntryAt",
      (SELECT coalesce(jsonb_object_agg(kind, count), '{}') FROM (
        SELECT kind, count(*) FROM own GROUP BY kind) k) AS "byKind",
      (SELECT coalesce(jsonb_object_agg(state, count), '{}') FROM (
        SELECT state, count(*) FROM own GROUP BY state) s) AS "byState",
      (SELECT count(*)::integer FROM decided) AS approvals,
      (SELECT count(DISTINCT account_id)::integer FROM decided) AS approvers,
      (SELECT count(*)::integer FROM own JOIN read_receipts r
        ON r.tenant_id = ${tenantId}::uuid AND r.op_id = own.op_id) AS reads,
      (SELECT count(*)::integer FROM own WHERE EXISTS (SELECT 1 FROM seal_leaves l
        WHERE l.tenant_id = ${tenantId}::uuid AND l.op_id = own.op_id)) AS sealed`;
  if (!row) throw new Error("the database counted nothing");
  return row;
}

/** The first operations of a scope for the summary, at most `size`, newest change first. */
export async function listedOperations(
  tx: Tx,
  tenantId: string,
  scope: PackScope,
  size: number,
): Promise<readonly PackedOperation[]> {
  return tx.$queryRaw<PackedOperation[]>`
    SELECT o.op_id AS op, o.kind, o.request_ref AS request, o.state, o.reason,
      ${utc("o.changed_at")} AS "changedAt"
    FROM operations o WHERE o.tenant_id = ${tenantId}::uuid AND ${within(scope)}
    ORDER BY o.changed_at DESC, o.op_id LIMIT ${size}`;
}
