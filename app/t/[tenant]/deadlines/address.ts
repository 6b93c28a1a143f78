import { queryText } from "@/app/t/[tenant]/list-address";
import { DEADLINE_ORDERS, type DeadlineOrder } from "@/lib/domain/deadline-order";
import { localOf } from "@/lib/domain/zone";
export const DEADLINE_VIEWS = ["table", "timeline", "month"] as const;
export type DeadlineView = (typeof DEADLINE_VIEWS)[number];

export const DEADLINE_FILTERS = [
  "due",
  "passed",
  "waiting",
  "unknown",
  "drift",
  "clock_conflict",
  "owner",
  "status",
  "connection",
  "kind",
  "q",
] as const;

type Name =
  | (typeof DEADLINE_FILTERS)[number]
  | "by"
  | "size"
  | "after"
  | "before"
  | "view"
  | "month";

/** What the address of the page says, in plain text. */
export type Address = Readonly<Partial<Record<Name, string>>>;

/** `?by=timer&view=month`, or nothing. */
export function addressText(
  address: Address,
  patch: Readonly<Partial<Record<Name, string | undefined>>> = {},
): string {
  return queryText(address, patch);
}

/** The part of the address that the list's own API understands. */
export function listText(address: Address): string {
  return addressText(address, { view: undefined, month: undefined });
}

export function viewOf({ view }: Address): DeadlineView {
  return DEADLINE_VIEWS.find((each) => each === view) ?? "table";
}

export function orderOf({ by }: Address): DeadlineOrder {
  return DEADLINE_ORDERS.find((each) => each === by) ?? "earliest";
}

/** The month of the address, else the one that it is now in the zone that is read in. */
export function monthOf({ month }: Address, now: string, readingZone: string): string {
  return month ?? localOf(readingZone, now).date.slice(0, 7);
}

/** `2027-01` for `2026-12` and 1. */
export function monthsLater(month: string, by: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}

/** Back to the first page: every change of filters or order begins there. */
export const FIRST = { after: undefined, before: undefined } as const;
