import type { OperationsQuery } from "@/lib/queries/operations-query";

type Given = Readonly<Record<string, string | string[] | undefined>>;

/** The parameters of the list that an address may hold; all others belong to the frame. */
const NAMES = [
  "state",
  "kind",
  "reason",
  "connection",
  "request",
  "age",
  "q",
  "sort",
  "size",
  "after",
  "before",
] as const;

export type AddressName = (typeof NAMES)[number];

/** Parameters of the list as plain text, in one order, so that equal lists have equal addresses. */
export type Address = Readonly<Partial<Record<AddressName, string>>>;

/** Reads what an address says about the list; a value given twice counts once. */
export function addressOf(given: Given): Address {
  const found: Partial<Record<AddressName, string>> = {};
  for (const name of NAMES) {
    const value = given[name];
    const text = Array.isArray(value) ? value.join(",") : value;
    if (text !== undefined && text !== "") found[name] = text;
  }
  return found;
}

/** `?state=…&sort=…`, or nothing. A change of anything but the place begins at the first page again. */
export function addressText(
  address: Address,
  patch: Readonly<Record<string, string | null>> = {},
): string {
  const params = new URLSearchParams();
  const moved = Object.keys(patch).some((name) => name !== "after" && name !== "before");
  for (const name of NAMES) {
    const isPlace = name === "after" || name === "before";
    const kept = isPlace && (moved || Object.keys(patch).length > 0) ? undefined : address[name];
    const value = patch[name] === undefined ? kept : patch[name];
    if (value) params.set(name, value);
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

/** True when something narrows the list. */
export function isFiltered(query: OperationsQuery): boolean {
  const { state, kind, reason, connection, request, age, q } = query;
  return (
    state.length + kind.length > 0 ||
    age !== null ||
    [reason, connection, request, q].some((text) => text !== undefined && text !== "")
  );
}
