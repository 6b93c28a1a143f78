import type { Account } from "./accounts";
import { clockOf, newId, type Platform } from "./context";
import type { Transaction } from "./database";
import { planFor } from "./fault-rules";
import type { Effect, SandboxRequest } from "./request";

/** Queues the events of a change in the transaction that makes it. They hold no personal data. */
export async function enqueueEvents(
  platform: Platform,
  tx: Transaction,
  account: Account,
  request: SandboxRequest,
  effects: readonly Effect[],
): Promise<void> {
  if (!account.webhookUrl || !account.webhookSecret) return;
  for (const kind of new Set(effects.map((effect) => effect.kind))) {
    const id = newId("evt");
    const event = {
      id,
      type: `request.${kind}`,
      timestamp: new Date(clockOf(platform, account)).toISOString(),
      data: {
        request_id: request.id,
        client_reference: request.clientReference,
        status: request.status,
        expires_at: request.expiresAt,
        version: request.version,
      },
    };
    const fault = (await planFor(tx, account, "webhook")).webhook ?? {};
    await tx.query(
      `INSERT INTO webhook_deliveries (account_id, event_id, body, due_at, state)
       SELECT $1, $2, $3, $4, $5 FROM generate_series(1, $6)`,
      [
        account.id,
        id,
        JSON.stringify(event),
        new Date(platform.now() + (fault.delayMs ?? 0)),
        fault.dropped ? "dropped" : "waiting",
        fault.copies ?? 1,
      ],
    );
  }
}
