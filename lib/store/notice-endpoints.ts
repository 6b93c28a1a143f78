import type { Tx } from "./db";

export interface NewEndpoint {
  readonly id: string;
  readonly name: string;
  readonly kind: "chat" | "webhook";
  readonly host: string;
  readonly urlSealed: string;
  readonly secretId: string | null;
  readonly secretSealed: string | null;
  readonly teams: readonly string[];
  readonly by: string;
}

/** Adds an endpoint of the tenant. False when the tenant has one of that name. */
export async function insertEndpoint(
  tx: Tx,
  tenantId: string,
  made: NewEndpoint,
): Promise<boolean> {
  const count = await tx.$executeRaw`
    INSERT INTO notice_endpoints (tenant_id, id, name, kind, host, url_sealed, secret_id, secret_sealed, teams,
      created_by, changed_by)
    VALUES (${tenantId}::uuid, ${made.id}::uuid, ${made.name}, ${made.kind}, ${made.host}, ${made.urlSealed},
      ${made.secretId}, ${made.secretSealed}, ${[...made.teams]}::text[], ${made.by}, ${made.by})
    ON CONFLICT DO NOTHING`;
  return count === 1;
}

export interface EndpointRow {
  readonly id: string;
  readonly name: string;
  readonly kind: "chat" | "webhook";
  readonly state: "active" | "stopped";
}

/** An endpoint of the tenant, locked until the transaction ends; null when there is none. */
export async function lockEndpoint(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<EndpointRow | null> {
  const [row] = await tx.$queryRaw<EndpointRow[]>`
    SELECT id, name, kind, state FROM notice_endpoints
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid FOR NO KEY UPDATE`;
  return row ?? null;
}

export interface ChangedEndpoint {
  readonly id: string;
  readonly name: string;
  readonly teams: readonly string[];
  /** Null keeps the address. */
  readonly address: { readonly host: string; readonly urlSealed: string } | null;
  readonly by: string;
}

/** Changes name, teams and address of a locked endpoint. False when another one has that name. */
export async function changeEndpoint(
  tx: Tx,
  tenantId: string,
  changed: ChangedEndpoint,
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE notice_endpoints e SET name = ${changed.name}, teams = ${[...changed.teams]}::text[],
      host = coalesce(${changed.address?.host ?? null}, host),
      url_sealed = coalesce(${changed.address?.urlSealed ?? null}, url_sealed),
      changed_by = ${changed.by}, changed_at = ledger_now()
    WHERE e.tenant_id = ${tenantId}::uuid AND e.id = ${changed.id}::uuid
      AND NOT EXISTS (SELECT 1 FROM notice_endpoints o WHERE o.tenant_id = e.tenant_id AND o.id <> e.id
        AND lower(o.name) = lower(${changed.name}))`;
  return count === 1;
}

/** Stops or starts an endpoint by a person's wish. False when it was so already. */
export async function setEndpointState(
  tx: Tx,
  tenantId: string,
  id: string,
  state: "active" | "stopped",
): Promise<boolean> {
  const stopped = state === "stopped";
  const count = await tx.$executeRaw`
    UPDATE notice_endpoints SET state = ${state}, stopped_why = ${stopped ? "person" : null},
      stopped_at = CASE WHEN ${stopped} THEN ledger_now() END
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid AND state <> ${state}`;
  return count === 1;
}

/** Keeps what the last try at an endpoint came to. One that wants no more, or must not be told, is stopped by it. */
export async function noteEndpoint(
  tx: Tx,
  tenantId: string,
  id: string,
  tried: { readonly outcome: string; readonly status: number | null },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE notice_endpoints SET last_outcome = ${tried.outcome}, last_status = ${tried.status}::integer,
      last_at = ledger_now(),
      state = CASE WHEN ${tried.outcome} IN ('gone', 'target_refused') THEN 'stopped' ELSE state END,
      stopped_why = CASE WHEN ${tried.outcome} IN ('gone', 'target_refused') AND state = 'active'
        THEN ${tried.outcome} ELSE stopped_why END,
      stopped_at = CASE WHEN ${tried.outcome} IN ('gone', 'target_refused') AND state = 'active'
        THEN ledger_now() ELSE stopped_at END
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid`;
}
