import { Prisma } from "@/lib/store/prisma/client";
import type { Db, Tx } from "./db";
import {
  bodiesDue,
  bodyIsFree,
  noticesDue,
  packsDue,
  requestIsFree,
  requestsDue,
} from "./retention-due";

/**
 * Empties raw bodies that are over their time, the oldest first; their digests stay (IN-8). What a hold covers stays.
 * Called as the schema's owner. Returns how many.
 */
export async function emptyOldBodies(
  db: Db,
  tenantId: string,
  recordClass: "inbox" | "quarantine",
  days: number,
  limit: number,
): Promise<number> {
  return db.$executeRaw`
    WITH old AS MATERIALIZED (
      SELECT i.tenant_id, i.id FROM inbox_events i
      WHERE ${bodiesDue(tenantId, recordClass, days)} AND ${bodyIsFree(tenantId)}
      ORDER BY i.received_at LIMIT ${limit} FOR UPDATE OF i SKIP LOCKED
    )
    UPDATE inbox_events i SET body_sealed = '', purged_at = ledger_now()
    FROM old WHERE i.tenant_id = old.tenant_id AND i.id = old.id`;
}

/** Requests whose people and texts, or whose payloads, are over their time, locked; the oldest first. */
export async function takeOldRequests(
  tx: Tx,
  tenantId: string,
  recordClass: "vault" | "ledger",
  days: number,
  limit: number,
): Promise<readonly string[]> {
  const cleared = Prisma.raw(`r.${recordClass}_cleared_at`);
  const rows = await tx.$queryRaw<{ ref: string }[]>`
    SELECT r.ref FROM requests r
    WHERE ${requestsDue(tenantId, days)} AND ${cleared} IS NULL AND ${requestIsFree(tenantId)}
    ORDER BY r.created_at, r.ref LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
  return rows.map(({ ref }) => ref);
}

/**
 * Signers of these requests who have part in no other request whose people are still kept: nobody needs their contact
 * details any more.
 */
export async function signersOfNoneElse(
  tx: Tx,
  tenantId: string,
  refs: readonly string[],
): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ ref: string }[]>`
    SELECT DISTINCT s.subject_ref AS ref FROM request_signers s
    JOIN vault_subjects v ON v.tenant_id = s.tenant_id AND v.subject_ref = s.subject_ref AND v.erased_at IS NULL
    WHERE s.tenant_id = ${tenantId}::uuid AND s.request_ref = ANY(${[...refs]})
      AND NOT EXISTS (SELECT 1 FROM request_signers other
        JOIN requests r ON r.tenant_id = other.tenant_id AND r.ref = other.request_ref
        WHERE other.tenant_id = s.tenant_id AND other.subject_ref = s.subject_ref
          AND r.vault_cleared_at IS NULL AND NOT r.ref = ANY(${[...refs]}))
    ORDER BY 1`;
  return rows.map(({ ref }) => ref);
}

/** Writes that people and texts, or payloads, of requests are gone. */
export async function markCleared(
  tx: Tx,
  tenantId: string,
  recordClass: "vault" | "ledger",
  refs: readonly string[],
): Promise<void> {
  const column = Prisma.raw(`${recordClass}_cleared_at`);
  await tx.$executeRaw`
    UPDATE requests SET ${column} = ledger_now()
    WHERE tenant_id = ${tenantId}::uuid AND ref = ANY(${[...refs]})`;
}

/**
 * Empties the payloads of all operations of requests, whose keys were closed in this transaction (PV-5, ID-8): the
 * database lets only those go that ended long enough ago. Hashes and history stay. Returns how many operations.
 */
export async function emptyPayloads(
  tx: Tx,
  tenantId: string,
  refs: readonly string[],
): Promise<number> {
  await tx.$executeRaw`
    UPDATE operation_versions v SET canonical_text = '{}' FROM operations o
    WHERE o.tenant_id = ${tenantId}::uuid AND o.request_ref = ANY(${[...refs]})
      AND v.tenant_id = o.tenant_id AND v.op_id = o.op_id AND v.canonical_text <> '{}'`;
  return tx.$executeRaw`
    UPDATE operations SET canonical_text = '{}'
    WHERE tenant_id = ${tenantId}::uuid AND request_ref = ANY(${[...refs]}) AND canonical_text <> '{}'`;
}

/** Removes files of packs that are over their time; what they were about, their size and hash stay. Returns how many. */
export async function removeOldPacks(
  tx: Tx,
  tenantId: string,
  days: number,
  limit: number,
): Promise<number> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    UPDATE packs SET removed_at = ledger_now()
    WHERE (tenant_id, id) IN (SELECT p.tenant_id, p.id FROM packs p WHERE ${packsDue(tenantId, days)}
      ORDER BY p.finished_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING id`;
  const ids = rows.map(({ id }) => id);
  await tx.$executeRaw`
    DELETE FROM pack_chunks WHERE tenant_id = ${tenantId}::uuid AND pack_id = ANY(${ids}::uuid[])`;
  return ids.length;
}

/** Removes notices that closed long ago with their deliveries. Returns how many notices. */
export async function removeOldNotices(
  tx: Tx,
  tenantId: string,
  days: number,
  limit: number,
): Promise<number> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT n.id FROM notices n WHERE ${noticesDue(tenantId, days)}
    ORDER BY n.closed_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
  const ids = rows.map(({ id }) => id);
  await tx.$executeRaw`
    DELETE FROM notice_deliveries WHERE tenant_id = ${tenantId}::uuid AND notice_id = ANY(${ids}::uuid[])`;
  return tx.$executeRaw`
    DELETE FROM notices WHERE tenant_id = ${tenantId}::uuid AND id = ANY(${ids}::uuid[])`;
}

/** Removes answers that were kept for repeated calls. Returns how many. */
export async function removeOldAnswers(
  db: Db,
  tenantId: string,
  days: number,
  limit: number,
): Promise<number> {
  return db.$executeRaw`
    DELETE FROM http_idempotency WHERE (tenant_id, credential, key_digest) IN (
      SELECT tenant_id, credential, key_digest FROM http_idempotency
      WHERE tenant_id = ${tenantId}::uuid AND created_at < ledger_now() - ${days}::integer * interval '1 day'
      ORDER BY created_at LIMIT ${limit})`;
}

/**
 * Removes sessions that ended longer ago than every tenant of their account keeps them, and what a provider gave for
 * those that ended at all. Sessions belong to no tenant. Returns how many it removed.
 */
export async function removeOldSessions(
  owner: Db,
  defaultDays: number,
  limit: number,
): Promise<number> {
  await owner.$executeRaw`
    UPDATE sessions SET provider_tokens = ''
    WHERE provider_tokens <> '' AND coalesce(revoked_at, expires_at) < ledger_now() - interval '1 day'`;
  return owner.$executeRaw`
    DELETE FROM sessions WHERE id IN (
      SELECT s.id FROM sessions s
      WHERE coalesce(s.revoked_at, s.expires_at) < ledger_now() - interval '1 day' * (
        SELECT coalesce(max(coalesce((SELECT r.days FROM retention_rules r
          WHERE r.tenant_id = m.tenant_id AND r.record_class = 'notices' ORDER BY r.version DESC LIMIT 1),
          ${defaultDays}::integer)), ${defaultDays}::integer)
        FROM memberships m WHERE m.account_id = s.account_id)
      ORDER BY s.created_at LIMIT ${limit})`;
}
