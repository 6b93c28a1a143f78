import { type FlatAddress, flatText, pickAddress } from "@/app/t/[tenant]/flat-address";

/** The filters of the history, in the order in which an address names them. */
export const FILTERS = [
  "source",
  "who",
  "action",
  "kind",
  "state",
  "request",
  "op",
  "from",
  "to",
] as const;
const NAMES = [...FILTERS, "size", "after", "before"] as const;

export type Address = FlatAddress<(typeof NAMES)[number]>;

/** Reads what an address says about the list; a value given twice counts once. */
export function addressOf(given: Parameters<typeof pickAddress>[1]): Address {
  return pickAddress(NAMES, given);
}

/** The address of the list, changed by the patch. */
export function addressText(
  address: Address,
  patch: Readonly<Record<string, string | null>> = {},
): string {
  return flatText(NAMES, address, patch);
}

/** True when something narrows the list. */
export function isFiltered(address: Address): boolean {
  return FILTERS.some((name) => address[name] !== undefined);
}
