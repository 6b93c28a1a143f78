type Given = Readonly<Record<string, string | string[] | undefined>>;

/** The parameters of the list that an address may hold; all others belong to the frame. */
const NAMES = [
  "state",
  "subscriber",
  "event",
  "request",
  "from",
  "to",
  "size",
  "after",
  "before",
] as const;

/** Parameters of the list as plain text, in one order, so that equal lists have equal addresses. */
export type Address = Readonly<Partial<Record<(typeof NAMES)[number], string>>>;

/** Reads what an address says about the list; a value given twice counts once. */
export function addressOf(given: Given): Address {
  const found: Partial<Record<(typeof NAMES)[number], string>> = {};
  for (const name of NAMES) {
    const value = given[name];
    const text = Array.isArray(value) ? value.join(",") : value;
    if (text !== undefined && text !== "") found[name] = text;
  }
  return found;
}

/** `?state=…`, or nothing. A change of anything but the place begins at the first page again. */
export function addressText(
  address: Address,
  patch: Readonly<Record<string, string | null>> = {},
): string {
  const params = new URLSearchParams();
  const moved = Object.keys(patch).length > 0;
  for (const name of NAMES) {
    const isPlace = name === "after" || name === "before";
    const kept = isPlace && moved ? undefined : address[name];
    const value = patch[name] === undefined ? kept : patch[name];
    if (value) params.set(name, value);
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

/** True when something narrows the list. */
export function isFiltered({ state, subscriber, event, request, from, to }: Address): boolean {
  return [state, subscriber, event, request, from, to].some((text) => text !== undefined);
}
