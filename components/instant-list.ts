import { formatLocal } from "@/lib/domain/deadline";

/** How many instants a cell names before it only counts the rest. */
const NAMED_MAX = 3;

/** "10 Dec 2026, 09:00 CET, 17 Dec 2026, 09:00 CET and 4 more, the last 20 Jan 2027, 09:00 CET"; "none" for none. */
export function instantList(instants: readonly string[], zone: string): string {
  if (instants.length === 0) return "none";
  const named = instants.slice(0, NAMED_MAX).map((at) => formatLocal(at, zone));
  const last = instants.at(-1);
  const rest = instants.length - named.length;
  if (rest === 0 || last === undefined) return named.join("; ");
  return `${named.join("; ")}; and ${rest} more, the last ${formatLocal(last, zone)}`;
}
