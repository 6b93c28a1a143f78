import { warnOfZoneRules } from "@/lib/flows/compare-zone-rules";
import type { ConsoleContext } from "@/lib/flows/context";
import { workerFigures } from "@/lib/queries/workers";
import { connect } from "@/lib/store/db";
import { consoleEnv } from "./env";
import { createLog } from "./log";
import { countingLog, createMetrics, type Metrics } from "./metrics";
import { createScrape } from "./scrape";

/** Kept on globalThis because Next evaluates this module once for every bundle and again after each hot reload. */
const kept = globalThis as {
  deadlineConsole?: ConsoleContext;
  deadlineMetrics?: Metrics;
  deadlineScrape?: () => Promise<string>;
};

/** The one context of this console process: a pool under the role `deadline_console`, the vault's key, the log. */
export function consoleContext(): ConsoleContext {
  kept.deadlineConsole ??= create();
  return kept.deadlineConsole;
}

/** What this console process counts (OP-1). It sees no tenant's rows: figures about those come from the workers. */
export function consoleMetrics(): Metrics {
  kept.deadlineMetrics ??= createMetrics("web", process.env.npm_package_version ?? "dev");
  return kept.deadlineMetrics;
}

/** The text for a scrape of this process, with the workers as the database knows them. */
export function consoleScrape(): Promise<string> {
  const { db, log } = consoleContext();
  kept.deadlineScrape ??= createScrape(consoleMetrics(), () => workerFigures(db), log);
  return kept.deadlineScrape();
}

function create(): ConsoleContext {
  const {
    DATABASE_URL,
    CONSOLE_DATABASE_URL,
    DEADLINE_LEDGER_VAULT_KEY,
    LOG_LEVEL,
    OUTBOX_ALLOWED_HOSTS: deliveryTargets,
    SMTP_URL,
    BACKUP_KEEP_DAYS: backupDays,
  } = consoleEnv();
  const db = connect(CONSOLE_DATABASE_URL ?? DATABASE_URL, { role: "deadline_console" });
  const log = countingLog(createLog(LOG_LEVEL), consoleMetrics());
  // Nothing waits for it: it only writes warnings, and it catches its own errors.
  void warnOfZoneRules(db, log);
  return {
    db,
    vaultKey: DEADLINE_LEDGER_VAULT_KEY,
    log,
    deliveryTargets,
    backupDays,
    mailIsOn: SMTP_URL !== undefined,
  };
}
