import type { Account } from "./accounts";
import type { Database, Transaction } from "./database";
import type { Effect, SandboxRequest } from "./request";
import { isOpen } from "./request";

export type EffectSource = "api" | "person" | "clock";

export interface SavedChange {
  readonly account: Account;
  readonly request: SandboxRequest;
  readonly effects: readonly Effect[];
  readonly source: EffectSource;
  /** Real time, epoch milliseconds: what lags are measured by. */
  readonly changedAtMs: number;
  readonly lookupVisibleAtMs: number;
}

/** Stores a new version of a request, its snapshot and its effects in one statement. */
export async function saveChange(tx: Transaction, change: SavedChange): Promise<void> {
  const { account, request, effects } = change;
  const at = new Date(change.changedAtMs + account.clockOffsetMs);
  await tx.query(
    `WITH saved AS (
       INSERT INTO requests (id, account_id, client_reference, is_open, sends_reminders,
         expires_at, lookup_visible_at, document)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (id) DO UPDATE SET is_open = $4, sends_reminders = $5, expires_at = $6,
         document = $8
     ), snapshot AS (
       INSERT INTO snapshots (request_id, version, changed_at, document) VALUES ($1, $9, $10, $8)
     )
     INSERT INTO effects (account_id, request_id, client_reference, kind, value, source, at)
     SELECT $2, $1, $3, kind, value, $11, $12
     FROM unnest($13::text[], $14::text[]) WITH ORDINALITY AS e(kind, value, place) ORDER BY place`,
    [
      request.id,
      account.id,
      request.clientReference,
      isOpen(request),
      request.reminders,
      request.expiresAt,
      new Date(change.lookupVisibleAtMs),
      request,
      request.version,
      new Date(change.changedAtMs),
      change.source,
      at,
      effects.map((effect) => effect.kind),
      effects.map((effect) => effect.value),
    ],
  );
}

/** The present version, locked until the transaction ends; null when the account has no such request. */
export async function lockRequest(
  tx: Transaction,
  accountId: string,
  requestId: string,
): Promise<SandboxRequest | null> {
  const { rows } = await tx.query<{ document: SandboxRequest }>(
    "SELECT document FROM requests WHERE id = $2 AND account_id = $1 FOR UPDATE",
    [accountId, requestId],
  );
  return rows[0]?.document ?? null;
}

/** Which requests a read is about. */
export type Selection =
  | { readonly id: string }
  | { readonly reference: string; readonly visibleByMs: number };

/** The requests as they were at `asOfMs` (real time); those that did not exist by then are left out. */
export async function requestsAsOf(
  database: Database,
  accountId: string,
  selection: Selection,
  asOfMs: number,
): Promise<SandboxRequest[]> {
  const [condition, ...values] =
    "id" in selection
      ? ["r.id = $3", selection.id]
      : [
          "r.client_reference = $3 AND r.lookup_visible_at <= $4",
          selection.reference,
          new Date(selection.visibleByMs),
        ];
  const { rows } = await database.query<{ document: SandboxRequest }>(
    `SELECT shown.document FROM requests r CROSS JOIN LATERAL (
       SELECT s.document FROM snapshots s WHERE s.request_id = r.id AND s.changed_at <= $2
       ORDER BY s.version DESC LIMIT 1
     ) shown
     WHERE r.account_id = $1 AND ${condition} ORDER BY r.id`,
    [accountId, new Date(asOfMs), ...values],
  );
  return rows.map((row) => row.document);
}

/** Every request of the account in its present version. */
export async function listRequests(
  database: Database,
  accountId: string,
): Promise<SandboxRequest[]> {
  const { rows } = await database.query<{ document: SandboxRequest }>(
    "SELECT document FROM requests WHERE account_id = $1 ORDER BY document->>'sentAt', id",
    [accountId],
  );
  return rows.map((row) => row.document);
}

/** The request that a signing link leads to, with its account's id; null for any other token. */
export async function requestByToken(
  database: Database,
  token: string,
): Promise<{ accountId: string; request: SandboxRequest; reference: string } | null> {
  const requestId = token.slice(0, Math.max(0, token.lastIndexOf("-")));
  const { rows } = await database.query<{ account_id: string; document: SandboxRequest }>(
    "SELECT account_id, document FROM requests WHERE id = $1",
    [requestId],
  );
  const row = rows[0];
  const signer = row?.document.signers.find((it) => it.token === token);
  if (!row || !signer) return null;
  return { accountId: row.account_id, request: row.document, reference: signer.reference };
}
