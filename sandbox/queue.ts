import type { Account } from "./accounts";
import { accountById } from "./accounts";
import { type Answer, refusal } from "./answer";
import { type Command, performIn } from "./commands";
import type { Platform } from "./context";
import { inTransaction } from "./database";
import { answerKept, keepAnswer } from "./idempotency";
import { lockRequest } from "./store";

/** Answers 202 at once and lets the command take effect after `delayMs`, also across a restart. */
export async function acceptForLater(
  platform: Platform,
  account: Account,
  command: Command,
  receivedAtMs: number,
  delayMs: number,
): Promise<Answer> {
  return inTransaction(platform.database, async (tx) => {
    const kept = await answerKept(platform, tx, account, command.idempotencyKey);
    if (kept) return kept;
    if (command.operation !== "send") {
      const request = await lockRequest(tx, account.id, command.requestId);
      if (!request) return refusal(404, "request_not_found");
    }
    const answer = { status: 202, body: { id: command.requestId, status: "accepted" } };
    await keepAnswer(platform, tx, account, command.idempotencyKey, answer);
    await tx.query(
      `INSERT INTO queued_calls (account_id, due_at, received_at, command)
       VALUES ($1, $2, $3, $4)`,
      [
        account.id,
        new Date(receivedAtMs + delayMs),
        new Date(receivedAtMs),
        // The key has done its work: it was kept together with the answer.
        { ...command, idempotencyKey: null },
      ],
    );
    return answer;
  });
}

interface QueuedRow {
  account_id: string;
  received_at: Date;
  command: Command;
}

/** Carries out one queued command that is due, together with its removal. False when none is due. */
export async function performOneQueued(platform: Platform): Promise<boolean> {
  return inTransaction(platform.database, async (tx) => {
    const { rows } = await tx.query<QueuedRow>(
      `WITH due AS MATERIALIZED (
         SELECT id FROM queued_calls WHERE due_at <= $1 ORDER BY due_at LIMIT 1
         FOR UPDATE SKIP LOCKED
       )
       DELETE FROM queued_calls q USING due WHERE q.id = due.id
       RETURNING q.account_id, q.received_at, q.command`,
      [new Date(platform.now())],
    );
    const row = rows[0];
    if (!row) return false;
    const account = await accountById(tx, row.account_id);
    if (account) {
      // A command that is refused by now has had its 2xx all the same: nobody is told.
      await performIn(platform, tx, account, row.command, row.received_at.getTime());
    }
    return true;
  });
}
