import type { z } from "zod";

/** Parses an address; what it does not understand is left out, so that an old link still opens the list. */
export function knownQuery<T extends z.ZodObject>(
  found: Readonly<Record<string, string | string[] | undefined>>,
  schema: T,
): z.output<T> {
  const known: Record<string, unknown> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = found[name];
    const field = schema.shape[name] as z.ZodType;
    if (typeof value === "string" && field.safeParse(value).success) known[name] = value;
  }
  return schema.parse(known);
}

/** `?due=48h&sort=-deadline` with defaults left out; empty text when nothing is left. */
export function queryText(
  query: Readonly<Record<string, string | number | undefined>>,
  patch: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, ...patch })) {
    if (value === undefined || value === "" || DEFAULTS[name] === String(value)) continue;
    params.set(name, String(value));
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

const DEFAULTS: Readonly<Record<string, string>> = {
  sort: "deadline",
  size: "50",
  by: "earliest",
  view: "table",
  tab: "mine",
};
