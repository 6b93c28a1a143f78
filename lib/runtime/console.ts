import { warnOfZoneRules } from "@/lib/flows/compare-zone-rules";
import type { ConsoleContext } from "@/lib/flows/context";
import { connect } from "@/lib/store/db";
import { consoleEnv } from "./env";
import { createLog } from "./log";

/** Kept on globalThis because Next evaluates this module once for every bundle and again after each hot reload. */
const kept = globalThis as { deadlineConsole?: ConsoleContext };

/** The one context of this console process: a pool under the role `deadline_console`, the vault's key, the log. */
export function consoleContext(): ConsoleContext {
  kept.deadlineConsole ??= create();
  return kept.deadlineConsole;
}

function create(): ConsoleContext {
  const {
    DATABASE_URL,
    CONSOLE_DATABASE_URL,
    DEADLINE_LEDGER_VAULT_KEY,
    LOG_LEVEL,
    OUTBOX_ALLOWED_HOSTS: deliveryTargets,
  } = consoleEnv();
  const db = connect(CONSOLE_DATABASE_URL ?? DATABASE_URL, { role: "deadline_console" });
  const log = createLog(LOG_LEVEL);
  // Nothing waits for it: it only writes warnings, and it catches its own errors.
  void warnOfZoneRules(db, log);
  return { db, vaultKey: DEADLINE_LEDGER_VAULT_KEY, log, deliveryTargets };
}
