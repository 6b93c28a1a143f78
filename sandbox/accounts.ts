import {
  type SandboxProfile,
  type SandboxProfileName,
  sandboxProfile,
} from "@/lib/providers/sandbox/profiles";
import type { Database, Transaction } from "./database";

/** One customer of the platform: its own key, profile, clock and webhook endpoint. */
export interface Account {
  readonly id: string;
  readonly apiKey: string;
  readonly profileName: SandboxProfileName;
  readonly profile: SandboxProfile;
  readonly webhookUrl: string | null;
  readonly webhookSecret: string | null;
  /** What the account's clock shows minus what it should show. */
  readonly clockOffsetMs: number;
  /** How often the platform reminds by itself; null: never. */
  readonly remindersEveryMs: number | null;
  readonly hasFaultRules: boolean;
}

export type AccountInput = Omit<Account, "profile" | "hasFaultRules">;

interface AccountRow {
  id: string;
  api_key: string;
  profile: SandboxProfileName;
  webhook_url: string | null;
  webhook_secret: string | null;
  clock_offset_ms: number;
  reminders_every_ms: number | null;
  has_fault_rules: boolean;
}

const SELECT_ACCOUNT = `
  SELECT a.*, EXISTS (SELECT 1 FROM fault_rules f WHERE f.account_id = a.id) AS has_fault_rules
  FROM accounts a`;

/** Creates the account or replaces its settings; its requests, rules and effects stay. */
export async function putAccount(database: Database, input: AccountInput): Promise<void> {
  await database.query(
    `INSERT INTO accounts (id, api_key, profile, webhook_url, webhook_secret, clock_offset_ms,
       reminders_every_ms) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (id) DO UPDATE SET api_key = $2, profile = $3, webhook_url = $4,
       webhook_secret = $5, clock_offset_ms = $6, reminders_every_ms = $7`,
    [
      input.id,
      input.apiKey,
      input.profileName,
      input.webhookUrl,
      input.webhookSecret,
      input.clockOffsetMs,
      input.remindersEveryMs,
    ],
  );
}

export async function accountById(
  database: Database | Transaction,
  id: string,
): Promise<Account | null> {
  return oneAccount(database, `${SELECT_ACCOUNT} WHERE a.id = $1`, id);
}

export async function accountByKey(database: Database, apiKey: string): Promise<Account | null> {
  return oneAccount(database, `${SELECT_ACCOUNT} WHERE a.api_key = $1`, apiKey);
}

async function oneAccount(
  database: Database | Transaction,
  sql: string,
  value: string,
): Promise<Account | null> {
  const { rows } = await database.query<AccountRow>(sql, [value]);
  const row = rows[0];
  if (!row) return null;
  return {
    id: row.id,
    apiKey: row.api_key,
    profileName: row.profile,
    profile: sandboxProfile(row.profile),
    webhookUrl: row.webhook_url,
    webhookSecret: row.webhook_secret,
    clockOffsetMs: row.clock_offset_ms,
    remindersEveryMs: row.reminders_every_ms,
    hasFaultRules: row.has_fault_rules,
  };
}

/** Sets how far the account's clock is off; `advanceMs` is added to what it is off by now. */
export async function moveClock(
  database: Database,
  accountId: string,
  move: { readonly offsetMs: number } | { readonly advanceMs: number },
): Promise<void> {
  const [sql, value] =
    "offsetMs" in move
      ? ["UPDATE accounts SET clock_offset_ms = $2 WHERE id = $1", move.offsetMs]
      : [
          "UPDATE accounts SET clock_offset_ms = clock_offset_ms + $2 WHERE id = $1",
          move.advanceMs,
        ];
  await database.query(sql, [accountId, value]);
}
