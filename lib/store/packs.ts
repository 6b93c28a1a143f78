import type { PackCounts } from "@/lib/domain/pack";
import type { Db, Tx } from "./db";

/** A pack that a worker has to itself until its lease ends. */
export interface TakenPack {
  readonly tenantId: string;
  readonly id: string;
  /** As written by `scopeText`. */
  readonly scope: string;
  readonly askedBy: string;
  /** UTC with microseconds. */
  readonly askedAt: string;
  /** How often it was taken; every later write names it. */
  readonly takes: number;
}

/** Asks for a pack. */
export async function insertPack(
  tx: Tx,
  tenantId: string,
  pack: { readonly id: string; readonly scope: string; readonly askedBy: string },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO packs (tenant_id, id, scope, asked_by)
    VALUES (${tenantId}::uuid, ${pack.id}::uuid, ${pack.scope}, ${pack.askedBy})`;
}

/** Takes the oldest pack that waits or whose worker fell silent; null when there is none. As the schema's owner. */
export async function takePack(owner: Db, leaseMs: number): Promise<TakenPack | null> {
  const [row] = await owner.$queryRaw<TakenPack[]>`
    UPDATE packs p
    SET state = 'making', takes = p.takes + 1, operations = 0, entries = 0,
      taken_until = ledger_now() + make_interval(secs => ${leaseMs / 1000}::float8)
    FROM (
      SELECT tenant_id, id FROM packs
      WHERE state IN ('waiting', 'making') AND (taken_until IS NULL OR taken_until < ledger_now())
      ORDER BY asked_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
    ) next
    WHERE p.tenant_id = next.tenant_id AND p.id = next.id
    RETURNING p.tenant_id AS "tenantId", p.id, p.scope, p.asked_by AS "askedBy", p.takes,
      to_char(p.asked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "askedAt"`;
  return row ?? null;
}

/** Notes how far a pack is and renews its lease; false when another worker has it by now. */
export async function notePackProgress(
  tx: Tx,
  pack: TakenPack,
  counts: PackCounts,
  leaseMs: number,
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE packs SET operations = ${counts.operations}, entries = ${counts.entries},
      taken_until = ledger_now() + make_interval(secs => ${leaseMs / 1000}::float8)
    WHERE tenant_id = ${pack.tenantId}::uuid AND id = ${pack.id}::uuid AND state = 'making'
      AND takes = ${pack.takes}`;
  return count > 0;
}

/** Keeps the next piece of a pack's file. */
export async function insertChunk(
  tx: Tx,
  pack: TakenPack,
  place: number,
  bytes: Uint8Array,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO pack_chunks (tenant_id, pack_id, take, place, bytes)
    VALUES (${pack.tenantId}::uuid, ${pack.id}::uuid, ${pack.takes}, ${place}, ${bytes})`;
}

/** Drops the pieces that earlier takes left behind, or all of them. */
export async function dropChunks(tx: Tx, pack: TakenPack, which: "earlier" | "all"): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM pack_chunks WHERE tenant_id = ${pack.tenantId}::uuid AND pack_id = ${pack.id}::uuid
      AND (${which} = 'all' OR take < ${pack.takes})`;
}

/** Ends a pack as ready, with the size and hash of its file; false when another worker has it by now. */
export async function readyPack(
  tx: Tx,
  pack: TakenPack,
  file: { readonly bytes: number; readonly sha256: string },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE packs SET state = 'ready', bytes = ${file.bytes}, sha256 = ${file.sha256}, finished_at = ledger_now(),
      taken_until = NULL
    WHERE tenant_id = ${pack.tenantId}::uuid AND id = ${pack.id}::uuid AND state = 'making'
      AND takes = ${pack.takes}`;
  return count > 0;
}

/** Gives a pack up. */
export async function failPack(tx: Tx, pack: TakenPack): Promise<void> {
  await tx.$executeRaw`
    UPDATE packs SET state = 'failed', finished_at = ledger_now(), taken_until = NULL
    WHERE tenant_id = ${pack.tenantId}::uuid AND id = ${pack.id}::uuid AND state = 'making'
      AND takes = ${pack.takes}`;
}

/** One piece of a ready pack's file; null behind the last. */
export async function chunkOf(
  tx: Tx,
  tenantId: string,
  packId: string,
  place: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const [row] = await tx.$queryRaw<{ bytes: Uint8Array<ArrayBuffer> }[]>`
    SELECT c.bytes FROM pack_chunks c
    JOIN packs p ON p.tenant_id = c.tenant_id AND p.id = c.pack_id AND p.takes = c.take AND p.state = 'ready'
    WHERE c.tenant_id = ${tenantId}::uuid AND c.pack_id = ${packId}::uuid AND c.place = ${place}`;
  return row?.bytes ?? null;
}
