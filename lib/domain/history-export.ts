import { z } from "zod";
import { OPERATION_KINDS, OPERATION_STATES } from "./operation";

const Instant = z.iso.datetime({ offset: true });

/** Which entries of the history are meant; what is left out does not narrow. */
export const HistoryFilterSchema = z.strictObject({
  source: z.enum(["operations", "operators", "all"]).default("all"),
  from: Instant.optional(),
  to: Instant.optional(),
  request: z.string().max(60).optional(),
  op: z.guid().optional(),
  kind: z.enum(OPERATION_KINDS).optional(),
  state: z.enum(OPERATION_STATES as readonly [string, ...string[]]).optional(),
  /** As in the history's list: a reason or kind of an operation's entry, or what an operator did. */
  action: z.string().max(200).optional(),
  /** As history names people and processes: `user:<uuid>`, `worker:<name>`. */
  who: z.string().max(100).optional(),
});

export type HistoryFilter = z.output<typeof HistoryFilterSchema>;

/** One entry as it is exported. People are references. */
export interface ExportedEntry {
  readonly at: string;
  readonly source: "operation" | "operator";
  readonly who: string;
  readonly what: string;
  readonly kind: string | null;
  readonly request: string | null;
  readonly op: string | null;
  readonly entry: number | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly reason: string | null;
  readonly hash: string | null;
}

const COLUMNS = [
  "at",
  "source",
  "who",
  "what",
  "kind",
  "request",
  "op",
  "entry",
  "from",
  "to",
  "reason",
  "hash",
] as const satisfies readonly (keyof ExportedEntry)[];

/** The first line of a CSV export. */
export const CSV_HEAD = `${COLUMNS.join(",")}\r\n`;

/** An entry as one line of CSV (RFC 4180). */
export function csvLine(entry: ExportedEntry): string {
  return `${COLUMNS.map((column) => csvField(entry[column])).join(",")}\r\n`;
}

/**
 * One field of CSV. What a spreadsheet would take for a formula, by its first character, gets an apostrophe in front
 * and stays text (PV-6). An empty field for null.
 */
export function csvField(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^[\s=+\-@|%\uff1d\uff0b\uff0d\uff20]/.test(value) ? `'${value}` : value;
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** An entry as one line of JSON. */
export function jsonLine(entry: ExportedEntry): string {
  return `${JSON.stringify(entry)}\n`;
}
