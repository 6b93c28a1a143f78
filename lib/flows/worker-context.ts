import type { Bounds } from "@/lib/domain/bounds";
import type { Provider } from "@/lib/providers/port";
import type { ConnectionRow } from "@/lib/store/connections";
import type { Database } from "@/lib/store/db";
import type { Log } from "./context";
import type { Meter } from "./meter";

/** A clock for durations that goes on while the machine or the process sleeps (CL-3). */
export interface SleepCountingClock {
  /** Milliseconds since some fixed moment; never goes back. */
  elapsedMs(): number;
}

/** What the worker's passes work with. Tests bring their own clock, providers and chance. */
export interface WorkerContext {
  /** The schema's owner, for statements across tenants: claims and sweeps. */
  readonly owner: Database;
  /** Role `deadline_worker`: sees the tenant of the claimed row only (PV-2). */
  readonly db: Database;
  readonly worker: { readonly id: string; readonly name: string };
  readonly clock: SleepCountingClock;
  readonly vaultKey: Buffer;
  /** Opens the credential and gives the adapter of a connection (PL-1). */
  readonly providerOf: (connection: ConnectionRow) => Provider;
  readonly bounds: Bounds;
  /** A number from 0 to 1, for jitter. */
  readonly chance: () => number;
  readonly log: Log;
  /** Counts for the metrics endpoint; left out where nobody looks. */
  readonly meter?: Meter;
}
