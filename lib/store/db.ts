import { setTimeout as pause } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import { Prisma, PrismaClient } from "@/lib/store/prisma/client";
import { statementNames } from "./statement-names";

export type Database = PrismaClient;
export type Tx = Prisma.TransactionClient;
/** Either a database or an open transaction of it. */
export type Db = Database | Tx;

export type DatabaseRole = "deadline_console" | "deadline_worker";

export interface ConnectOptions {
  /** Every connection of the pool acts under this role; left out, as the schema's owner. */
  readonly role?: DatabaseRole;
  readonly poolMax?: number;
}

/** A pool on the ledger's database. Nothing is opened before the first statement. */
export function connect(url: string, options: ConnectOptions = {}): Database {
  const pool = {
    connectionString: url,
    max: options.poolMax ?? 10,
    ...(options.role ? { options: `-c role=${options.role}` } : {}),
  };
  const adapter = new PrismaPg(pool, { statementNameGenerator: statementNames() });
  return new PrismaClient({ adapter });
}

const RETRYABLE = new Set(["40001", "40P01"]);

/** How often a transaction is run again after a deadlock or a serialisation failure before the error is let out. */
const CONFLICT_RETRIES_MAX = 5;

/** First pause before such a repeat, in milliseconds; it doubles, with jitter, so that the other side gets through. */
const CONFLICT_PAUSE_MS = 20;

/**
 * Runs `work` again as a whole when PostgreSQL broke it off for a deadlock or a serialisation failure (C-09).
 * `work` must do nothing but database statements: nothing of it has happened when it is run again.
 */
export async function whenDeadlockedAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries > CONFLICT_RETRIES_MAX || !RETRYABLE.has(sqlState(error) ?? "")) throw error;
      await pause(CONFLICT_PAUSE_MS * 2 ** (tries - 1) * (1 + Math.random()));
    }
  }
}

/**
 * One short transaction that sees one tenant only (PV-2). `work` is database-only: no call leaves the process
 * while it is open, and it is run again after a deadlock.
 */
export async function asTenant<T>(
  database: Database,
  tenantId: string,
  work: (tx: Tx) => Promise<T>,
  options: { readonly accountId?: string; readonly timeoutMs?: number } = {},
): Promise<T> {
  return whenDeadlockedAgain(() =>
    database.$transaction(
      async (tx) => {
        await tx.$executeRaw`SELECT set_config('deadline.tenant_id', ${tenantId}, true),
          set_config('deadline.account_id', ${options.accountId ?? ""}, true)`;
        return work(tx);
      },
      { maxWait: 15_000, timeout: options.timeoutMs ?? 30_000 },
    ),
  );
}

/** One short transaction that sees what belongs to one account: its memberships and the names of their tenants. */
export async function asAccount<T>(
  database: Database,
  accountId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return database.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT set_config('deadline.account_id', ${accountId}, true)`;
    return work(tx);
  });
}

/** The database's time, which decides leases and due times (CL-1). */
export async function ledgerNow(db: Db): Promise<Date> {
  const [row] = await db.$queryRaw<{ now: Date }[]>`SELECT ledger_now() AS now`;
  if (!row) throw new Error("the database gave no time");
  return row.now;
}

interface DriverCause {
  readonly originalCode?: string;
  readonly constraint?: { readonly index?: string; readonly fields?: readonly string[] };
}

function driverCause(error: unknown): DriverCause | null {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return null;
  const adapterError = error.meta?.driverAdapterError as { cause?: DriverCause } | undefined;
  return adapterError?.cause ?? null;
}

/** The name of the unique constraint or index that refused a statement; null when that was not the cause. */
export function brokenConstraint(error: unknown): string | null {
  return driverCause(error)?.constraint?.index ?? null;
}

/** PostgreSQL's SQLSTATE of a refused statement (`DL001`: a transition outside the table); null otherwise. */
export function sqlState(error: unknown): string | null {
  return driverCause(error)?.originalCode ?? null;
}
