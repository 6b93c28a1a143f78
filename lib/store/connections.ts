import { type CapabilityDescriptor, CapabilityDescriptorSchema } from "@/lib/domain/capability";
import type { Tx } from "./db";

/** A platform connection as the worker needs it. The credential is still sealed (PL-1). */
export interface ConnectionRow {
  readonly tenantId: string;
  readonly id: string;
  readonly name: string;
  readonly adapter: string;
  readonly baseUrl: string;
  readonly apiKeySealed: string;
  readonly descriptor: CapabilityDescriptor;
  readonly callTimeoutMs: number;
  readonly leaseMs: number;
  readonly owner: string;
}

/** Loads one connection of the tenant; null when there is none. Throws when its descriptor does not parse. */
export async function loadConnection(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<ConnectionRow | null> {
  const row = await tx.connection.findUnique({
    where: { tenantId_id: { tenantId, id } },
    select: {
      tenantId: true,
      id: true,
      name: true,
      adapter: true,
      baseUrl: true,
      apiKeySealed: true,
      descriptor: true,
      callTimeoutMs: true,
      leaseMs: true,
      owner: true,
    },
  });
  if (!row) return null;
  const descriptor = CapabilityDescriptorSchema.parse(JSON.parse(row.descriptor));
  return { ...row, descriptor };
}

/**
 * Stops new starts on a connection whose credential the platform refuses (PL-3). It becomes a switch like one that a
 * person throws: recorded, shown, and opened by people (BL-6). A connection that is paused already stays as it is.
 */
export async function pauseConnection(
  tx: Tx,
  tenantId: string,
  id: string,
  reason: string,
): Promise<void> {
  await tx.$executeRaw`
    WITH stopped AS (
      UPDATE connections SET paused_at = ledger_now(), paused_reason = ${reason}
      WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid AND paused_at IS NULL
      RETURNING tenant_id, id
    ), switch AS (
      INSERT INTO pauses (tenant_id, id, scope, connection_id, reason_code, paused_by)
      SELECT tenant_id, gen_random_uuid(), 'connection', id, ${reason}, 'system:connection' FROM stopped
      ON CONFLICT DO NOTHING
      RETURNING tenant_id, id, connection_id
    )
    INSERT INTO control_events (tenant_id, id, kind, about, actor, body)
    SELECT tenant_id, gen_random_uuid(), 'paused', 'switch:' || id, 'system:connection',
      json_build_object('scope', 'connection', 'connectionId', connection_id, 'reason_code', ${reason}::text)::text
    FROM switch`;
}

/**
 * Keeps by how many milliseconds the platform's clock is ahead of the database (TM-4); negative when behind. Returns what
 * was measured before; null when nothing was.
 */
export async function noteClockSkew(
  tx: Tx,
  tenantId: string,
  id: string,
  skewMs: number,
): Promise<number | null> {
  const [row] = await tx.$queryRaw<{ before: number | null }[]>`
    UPDATE connections c SET clock_skew_ms = ${Math.round(skewMs)}, clock_skew_at = ledger_now()
    FROM (SELECT tenant_id, id, clock_skew_ms FROM connections
      WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid FOR UPDATE) old
    WHERE c.tenant_id = old.tenant_id AND c.id = old.id
    RETURNING old.clock_skew_ms AS before`;
  return row?.before ?? null;
}

export interface PollingSetting {
  readonly polling: string;
  readonly silentAfterMs: number;
}

/** Sets how a connection is polled (IN-7). Returns what was set before; null when the tenant has no such connection. */
export async function setPolling(
  tx: Tx,
  tenantId: string,
  id: string,
  { polling, silentAfterMs }: PollingSetting,
): Promise<PollingSetting | null> {
  const [row] = await tx.$queryRaw<PollingSetting[]>`
    WITH before AS (
      SELECT tenant_id, id, polling, silent_after_ms FROM connections
      WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid FOR NO KEY UPDATE
    )
    UPDATE connections c SET polling = ${polling}, silent_after_ms = ${silentAfterMs}::integer
    FROM before b WHERE c.tenant_id = b.tenant_id AND c.id = b.id
    RETURNING b.polling, b.silent_after_ms AS "silentAfterMs"`;
  return row ?? null;
}

/**
 * The request with which a connection is tried out by a read: the open one that was read longest ago, else any that the
 * platform knows; null when there is none.
 */
export async function requestToTry(tx: Tx, tenantId: string, id: string): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ ref: string }[]>`
    SELECT ref FROM requests
    WHERE tenant_id = ${tenantId}::uuid AND connection_id = ${id}::uuid AND platform_ref IS NOT NULL
    ORDER BY mirror_terminal, mirror_read_at NULLS FIRST, ref LIMIT 1`;
  return row?.ref ?? null;
}
