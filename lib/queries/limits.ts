import { asTenant, type Database, ledgerNow, type Tx } from "@/lib/store/db";
import { type Limits, limitsOf, type QuotaUse, quotasInUse } from "@/lib/store/limits";
import { type ReadForecast, readForecast } from "@/lib/store/read-budget";

/** How much of one limit is used. A limit of null is not known: nothing is held back by it. */
export interface UseView {
  readonly used: number;
  readonly limit: number | null;
}

export interface LimitsRow {
  /** Null for the tenant as a whole. */
  readonly connectionId: string | null;
  readonly name: string;
  readonly inFlight: UseView;
  readonly callsOfMinute: UseView;
  /** Null for the tenant: reads are counted per connection. */
  readonly readsOfHour: (UseView & { readonly hourlyRate: number }) | null;
  /** When a start fits again by calls and reads (RFC 3339); null while one fits now or only an end makes room. */
  readonly nextFreeAt: string | null;
  /** What people set, where null stands for the default. */
  readonly set: Limits;
}

export interface LimitsPage {
  readonly now: string;
  readonly rows: readonly LimitsRow[];
}

/** Quotas, rates and read budgets of a tenant with what is used of them now: the tenant first, then its connections. */
export async function limitsPage(db: Database, tenantId: string): Promise<LimitsPage> {
  return asTenant(db, tenantId, async (tx) => {
    const now = await ledgerNow(tx);
    const quotas = await quotasInUse(tx, tenantId);
    const forecasts = await readForecast(tx, tenantId);
    const rows: LimitsRow[] = [];
    for (const forecast of [null, ...forecasts]) {
      const id = forecast?.connectionId ?? null;
      const quota = quotas.find(({ connectionId }) => connectionId === id);
      if (quota) rows.push(await rowOf(tx, tenantId, quota, forecast));
    }
    return { now: now.toISOString(), rows };
  });
}

async function rowOf(
  tx: Tx,
  tenantId: string,
  quota: QuotaUse,
  forecast: ReadForecast | null,
): Promise<LimitsRow> {
  const { connectionId, inFlight, inFlightMax, calls, callsPerMinute } = quota;
  const waits = [calls >= callsPerMinute ? quota.callsFreeAt : null, forecast?.freeAt].flatMap(
    (at) => at?.getTime() ?? [],
  );
  return {
    connectionId,
    name: forecast?.name ?? "All connections",
    inFlight: { used: inFlight, limit: inFlightMax },
    callsOfMinute: { used: calls, limit: callsPerMinute },
    readsOfHour:
      forecast === null
        ? null
        : { used: forecast.used, limit: forecast.limit, hourlyRate: forecast.hourlyRate },
    nextFreeAt: waits.length === 0 ? null : new Date(Math.max(...waits)).toISOString(),
    set: await limitsOf(tx, tenantId, connectionId),
  };
}
