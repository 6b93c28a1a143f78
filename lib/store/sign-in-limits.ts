import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Database } from "./db";

/** Ten tries for one login in a quarter of an hour: enough for slips, useless for guessing. */
const TRIES_PER_LOGIN = 10;
/** An office behind one address shares this many. */
const TRIES_PER_SOURCE = 100;
const WINDOW_SECONDS = 900;

export interface SignInLimits {
  /** Counts one try. Null when it may go on, else the seconds until the next one may. */
  count(login: string, source: string): Promise<number | null>;
  /** Forgets the tries of a login after a good sign-in. */
  forget(login: string): Promise<void>;
}

/** Limits kept in the database, so that every console process counts together. Keys must not be personal data. */
export function signInLimits(db: Database): SignInLimits {
  const perLogin = limiter(db, "login", TRIES_PER_LOGIN);
  const perSource = limiter(db, "source", TRIES_PER_SOURCE);
  return {
    async count(login, source) {
      const waits = await Promise.all([
        secondsToWait(perLogin, login),
        secondsToWait(perSource, source),
      ]);
      const longest = Math.max(...waits);
      return longest === 0 ? null : longest;
    },
    async forget(login) {
      await perLogin.delete(login);
    },
  };
}

async function secondsToWait(limiter: RateLimiterPostgres, key: string): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (refused) {
    if (refused instanceof RateLimiterRes)
      return Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    throw refused;
  }
}

interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
}

function limiter(db: Database, keyPrefix: string, points: number): RateLimiterPostgres {
  return new RateLimiterPostgres({
    // The library asks for a driver's client; this is as much of one as it uses, on the pool that exists.
    storeClient: { query: ({ text, values }: Query) => rowsOf(db, text, values) },
    storeType: "pool",
    tableName: "sign_in_limits",
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix,
    points,
    duration: WINDOW_SECONDS,
  });
}

async function rowsOf(db: Database, text: string, values: readonly unknown[]) {
  const found = await db.$queryRawUnsafe<Record<string, unknown>[]>(text, ...values);
  const rows = found.map((row) => ({
    ...row,
    // bigint in the database, milliseconds in the library.
    ...("expire" in row && row.expire !== null ? { expire: Number(row.expire) } : {}),
  }));
  return { rows, rowCount: rows.length };
}
