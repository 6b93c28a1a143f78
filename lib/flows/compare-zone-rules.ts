import { type ZoneDisagreement, zoneDisagreements } from "@/lib/domain/deadline";
import { epochOf, instantOf, isZone } from "@/lib/domain/zone";
import { type Db, ledgerNow } from "@/lib/store/db";
import { databaseOffsets, zonesInUse } from "@/lib/store/zone-checks";
import type { Log } from "./context";
import { runtimeOffset } from "./runtime-offset";

const DAY_MS = 86_400_000;
/** Deadlines are rarely further away, and every day looked at costs a row per zone. */
const DAYS_AHEAD = 500;
/** More zones than this are compared in the next start; a warning needs no more. */
const ZONES_MAX = 60;

export interface ZoneComparison {
  readonly zones: readonly string[];
  /** Where the runtime (Node) would say something else than the rules that ship with the product. */
  readonly runtime: readonly ZoneDisagreement[];
  /** The same for the database. */
  readonly database: readonly ZoneDisagreement[];
}

/**
 * Compares the shipped zone rules with those of the runtime and of the database, day by day from `now`, for the given
 * zones (TM-6, C-23). Nothing is computed with the other two anywhere; this only tells who would be wrong.
 */
export async function compareZoneRules(
  db: Db,
  zones: readonly string[],
  now: string,
  otherRuntime: (zone: string, instant: string) => number | null = runtimeOffset,
): Promise<ZoneComparison> {
  const known = zones.filter(isZone).slice(0, ZONES_MAX);
  const start = epochOf(now);
  const days = Array.from({ length: DAYS_AHEAD }, (_, day) => instantOf(start + day * DAY_MS));
  const [from, to] = [days[0] ?? now, instantOf(start + DAYS_AHEAD * DAY_MS)];
  const offsets = await databaseOffsets(db, known, days);
  const ofDatabase = (zone: string, instant: string) =>
    offsets.get(`${zone} ${epochOf(instant)}`) ?? null;
  return {
    zones: known,
    runtime: zoneDisagreements(known, otherRuntime, from, to),
    database: zoneDisagreements(known, ofDatabase, from, to),
  };
}

/**
 * At the start of a process: a warning for each zone in use that runtime or database would count differently (C-23).
 * Never stops the start: what it could not find out is one line in the log.
 */
export async function warnOfZoneRules(db: Db, log: Log): Promise<void> {
  try {
    const now = (await ledgerNow(db)).toISOString();
    const { runtime, database } = await compareZoneRules(db, await zonesInUse(db), now);
    warn(log, "runtime", runtime);
    warn(log, "database", database);
  } catch (error) {
    log.error({
      event: "zone_rules_not_compared",
      error: error instanceof Error ? error.name : typeof error,
    });
  }
}

function warn(log: Log, kind: string, found: readonly ZoneDisagreement[]): void {
  for (const { zone, instant } of found) {
    log.warn({ event: "zone_rules_differ", kind, zone, at: instant });
  }
}
