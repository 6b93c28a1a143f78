import { type FlatAddress, flatText, pickAddress } from "@/app/t/[tenant]/flat-address";

/** What narrows the list. */
export const FILTERS = [
  "outcome",
  "connection",
  "type",
  "request",
  "source",
  "copies",
  "from",
  "to",
  "q",
] as const;

/** The parameters of the list that an address may hold; all others belong to the frame. */
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

/** The address without a place: what is selected is what the filters say. */
export function filterText(address: Address): string {
  return flatText(NAMES, address, { after: null, before: null, size: null });
}

/** True when something narrows the list. */
export function isFiltered(address: Address): boolean {
  return FILTERS.some((name) => address[name] !== undefined);
}
