import { type Allowances, createAllowances } from "@/lib/domain/allowance";
import type { Database } from "@/lib/store/db";
import type { ConsoleContext } from "./context";
import type { Received } from "./delivery";
import { knowsConnection } from "./receive-event";

/** A backlog of a day comes through as fast as it is recorded; after that twice what the busiest platform sends. */
const DELIVERIES = { burst: 20_000, perSecond: 1_000, keysMax: 10_000 } as const;

/** Enough for the copies of a failed rotation; then one every second is looked at, and one that holds ends it. */
const FAILURES = { burst: 100, perSecond: 1, keysMax: 10_000 } as const;

/** Where a delivery goes and where it comes from, as the network says; neither is kept anywhere but in memory. */
export interface Knock {
  readonly connectionId: string;
  readonly source: string;
}

interface Limits {
  readonly deliveries: Allowances;
  readonly failures: Allowances;
}

/** Per process: several console processes each allow as much. */
const limits = new WeakMap<Database, Limits>();

function limitsOf({ db }: Pick<ConsoleContext, "db">): Limits {
  const known = limits.get(db);
  if (known) return known;
  const made = { deliveries: createAllowances(DELIVERIES), failures: createAllowances(FAILURES) };
  limits.set(db, made);
  return made;
}

/**
 * A source is judged at one connection alone, because platforms send for many tenants from the same addresses. What
 * asks for connections that are none is judged together.
 */
function keyOf(ctx: Pick<ConsoleContext, "db">, { connectionId, source }: Knock): string {
  return knowsConnection(ctx, connectionId) ? `${connectionId} ${source}` : source;
}

/**
 * How long this sender has to wait before it is heard, in milliseconds; 0 when it is heard now (PV-6). Limits authentic
 * deliveries per connection, and failed authentications per source.
 */
export function deliveryWaitMs(ctx: Pick<ConsoleContext, "db">, knock: Knock): number {
  const { deliveries, failures } = limitsOf(ctx);
  const nowMs = performance.now();
  const failing = failures.waitMs(keyOf(ctx, knock), nowMs);
  return Math.max(failing, deliveries.waitMs(knock.connectionId, nowMs));
}

/** Counts what came of a delivery: a failure against its source, which an authentic one from there clears (PV-6). */
export function noteDelivery(
  ctx: Pick<ConsoleContext, "db">,
  knock: Knock,
  received: Received,
): void {
  const { deliveries, failures } = limitsOf(ctx);
  const nowMs = performance.now();
  if (received === "refused") failures.take(keyOf(ctx, knock), nowMs);
  else {
    failures.restore(keyOf(ctx, knock));
    deliveries.take(knock.connectionId, nowMs);
  }
}
