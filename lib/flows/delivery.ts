import type { WebhookHeaders } from "@/lib/providers/port";

export interface Delivery {
  readonly connectionId: string;
  /** The bytes exactly as they came in; the signature is checked over nothing else (IN-1, C-15). */
  readonly raw: Uint8Array;
  readonly headers: WebhookHeaders;
}

/** A delivery on its way into the ledger. */
export interface Arrival extends Delivery {
  /** `performance.now()` at receipt: its time-stamp is judged by that moment, however long it waits (C-16). */
  readonly arrivedAtMs: number;
  /** From then on its sender has heard that it has to come again. */
  readonly heardUntilMs: number;
}

/**
 * What became of a delivery. `refused`: not authentic, nothing was kept. `received`: recorded, and a worker applies it
 * (IN-2). All others are recorded with their consequences, or kept for a person.
 */
export type Received =
  | "refused"
  | "received"
  | "applied"
  | "no_change"
  | "unmatched"
  | "duplicate"
  | "quarantined";

/** Thrown when nothing is known to be recorded: the sender must try again. */
export class NotRecorded extends Error {
  override readonly name = "NotRecorded";
}
