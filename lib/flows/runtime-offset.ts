const FORMATS = new Map<string, Intl.DateTimeFormat | null>();

/**
 * Minutes east of UTC by the runtime's own zone rules; null for a zone that it does not know. For comparing only: no
 * deadline is ever computed with it (TM-6).
 */
export function runtimeOffset(zone: string, instant: string): number | null {
  const format = formatOf(zone);
  if (format === null) return null;
  const shown = format.formatToParts(new Date(instant));
  const name = shown.find(({ type }) => type === "timeZoneName")?.value ?? "";
  if (name === "GMT") return 0;
  const found = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name);
  if (found === null) return null;
  const minutes = Number(found[2]) * 60 + Number(found[3]) + Number(found[4] ?? 0) / 60;
  return found[1] === "-" ? -minutes : minutes;
}

function formatOf(zone: string): Intl.DateTimeFormat | null {
  const known = FORMATS.get(zone);
  if (known !== undefined) return known;
  const made = madeFor(zone);
  FORMATS.set(zone, made);
  return made;
}

function madeFor(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  } catch (error) {
    // An unknown zone is an answer here, not a failure.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
