import { randomUUID } from "node:crypto";
import type { Account } from "./accounts";
import type { Database } from "./database";

/** What every part of the running platform shares. */
export interface Platform {
  readonly database: Database;
  /** Real time in epoch milliseconds; an account's own clock may be off it. */
  readonly now: () => number;
  /** Ends when the platform stops. */
  readonly stopping: AbortSignal;
  /** Calls per account that have arrived and are not over, also when the client has given up on them. */
  readonly underWay: Map<string, number>;
}

/** What the account's clock shows, in epoch milliseconds. */
export function clockOf(platform: Platform, account: Account): number {
  return platform.now() + account.clockOffsetMs;
}

/** A fresh identifier that can stand in a path. */
export function newId(prefix: "req" | "evt"): string {
  return `${prefix}_${randomUUID().replaceAll("-", "")}`;
}
