/** What a platform's clock said, and when by this process's stopwatch. */
export interface ServerDate {
  /** Epoch milliseconds; the header counts whole seconds, so this is the middle of one. */
  readonly dateMs: number;
  /** `performance.now()` of the moment at which the answer's head was there. */
  readonly seenAtMs: number;
}

const SEEN = new Map<string, ServerDate>();
const HALF_SECOND_MS = 500;

/** Keeps the Date header of an answer (TM-4). Anything that is no such header is not kept. */
export function noteServerDate(url: string, header: string | string[] | undefined): void {
  const dateMs = typeof header === "string" ? Date.parse(header) : Number.NaN;
  if (Number.isNaN(dateMs)) return;
  const seenAtMs = performance.now();
  SEEN.set(new URL(url).origin, { dateMs: dateMs + HALF_SECOND_MS, seenAtMs });
}

/** The newest Date header of the platform at this address; null when none was seen. */
export function serverDateOf(url: string): ServerDate | null {
  return SEEN.get(new URL(url).origin) ?? null;
}
