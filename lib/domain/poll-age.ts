import { sweepAgeMs } from "./sweep-age";

/** Where nobody tells us, a request is read so many times as often as the sweep that looks for drift reads it. */
const DENSER = 5;

/**
 * How old the mirror of a polled request may become before it is read (IN-7), in milliseconds: as for the sweep, the
 * closer the nearest clock the sooner, and always before the sweep's turn, so that what a poll finds is news and no
 * drift. `earliest` is that clock, null where the request has none.
 */
export function pollAgeMs(now: Date, earliest: Date | null): number {
  return Math.floor(sweepAgeMs(now, earliest) / DENSER);
}
