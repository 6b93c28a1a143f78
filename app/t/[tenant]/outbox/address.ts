import { type FlatAddress, flatText, pickAddress } from "@/app/t/[tenant]/flat-address";

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
export function isFiltered({ state, subscriber, event, request, from, to }: Address): boolean {
  return [state, subscriber, event, request, from, to].some((text) => text !== undefined);
}
