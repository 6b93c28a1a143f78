import type { Database } from "./database";
import type { EffectKind } from "./request";
import type { EffectSource } from "./store";

/** One row of the effect log, in the form that the control API shows. */
export interface LoggedEffect {
  readonly id: string;
  readonly request_id: string;
  readonly client_reference: string | null;
  readonly kind: EffectKind;
  readonly value: string | null;
  readonly source: EffectSource;
  /** By the account's clock. */
  readonly at: string;
  /** By the database's clock. */
  readonly recorded_at: string;
}

export interface EffectFilter {
  readonly requestId: string | null;
  readonly clientReference: string | null;
  readonly kind: string | null;
}

/** What really happened, oldest first (SB-3). */
export async function listEffects(
  database: Database,
  accountId: string,
  filter: EffectFilter,
): Promise<LoggedEffect[]> {
  const { rows } = await database.query<LoggedEffect>(
    `SELECT id, request_id, client_reference, kind, value, source, at, recorded_at FROM effects
     WHERE account_id = $1 AND ($2::text IS NULL OR request_id = $2)
       AND ($3::text IS NULL OR client_reference = $3) AND ($4::text IS NULL OR kind = $4)
     ORDER BY id`,
    [accountId, filter.requestId, filter.clientReference, filter.kind],
  );
  return rows;
}

/** What the account's future already holds: commands that were accepted, and events on their way. */
export async function waitingFor(
  database: Database,
  accountId: string,
): Promise<{ queued_calls: number; waiting_webhooks: number }> {
  const { rows } = await database.query<{ queued_calls: number; waiting_webhooks: number }>(
    `SELECT (SELECT count(*)::int FROM queued_calls WHERE account_id = $1) AS queued_calls,
       (SELECT count(*)::int FROM webhook_deliveries
        WHERE account_id = $1 AND state = 'waiting') AS waiting_webhooks`,
    [accountId],
  );
  return rows[0] ?? { queued_calls: 0, waiting_webhooks: 0 };
}
