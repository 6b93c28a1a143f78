type Given = Readonly<Record<string, string | string[] | undefined>>;

/** The parameters of the queue that an address may hold; all others belong to the frame. */
const NAMES = [
  "view",
  "reason",
  "owner",
  "team",
  "status",
  "consequence",
  "kind",
  "connection",
  "age",
  "request",
  "size",
  "after",
] as const;

export type AddressName = (typeof NAMES)[number];

/** Parameters of the queue as plain text, in one order, so that equal lists have equal addresses. */
export type Address = Readonly<Partial<Record<AddressName, string>>>;

/** Reads what an address says about the queue; a value given twice counts once. */
export function addressOf(given: Given): Address {
  const found: Partial<Record<AddressName, string>> = {};
  for (const name of NAMES) {
    const value = given[name];
    const text = Array.isArray(value) ? value.join(",") : value;
    if (text !== undefined && text !== "") found[name] = text;
  }
  return found;
}

/** `?view=…`, or nothing. A change of anything but the place begins at the first page again. */
export function addressText(
  address: Address,
  patch: Readonly<Partial<Record<AddressName, string | null>>> = {},
): string {
  const params = new URLSearchParams();
  const moved = Object.keys(patch).length > 0;
  for (const name of NAMES) {
    const kept = name === "after" && moved ? undefined : address[name];
    const value = patch[name] === undefined ? kept : patch[name];
    if (value) params.set(name, value);
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

const FILTERS = NAMES.filter((name) => !["view", "size", "after"].includes(name));

/** True when something besides the view narrows the list. */
export function isFiltered(address: Address): boolean {
  return FILTERS.some((name) => address[name] !== undefined);
}
