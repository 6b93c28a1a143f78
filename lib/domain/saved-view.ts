/** Lists whose filters can be kept under a name. */
export const SAVED_VIEW_PAGES = [
  "deadlines",
  "requests",
  "operations",
  "reviews",
  "inbox",
] as const;
export type SavedViewPage = (typeof SAVED_VIEW_PAGES)[number];

export const VIEW_NAME_MAX = 60;

/** Own views of one person on one page. */
export const SAVED_VIEWS_MAX = 30;

/** Where one is in a list, and in which zone one reads, is no part of a view. */
const NOT_KEPT = new Set(["after", "before", "also", "tz"]);

/**
 * The part of an address that a view keeps, in one order, so that the same filters are the same view:
 * `drift=yes&owner=me` of `?owner=me&after=x&drift=yes`.
 */
export function viewQuery(address: string): string {
  const params = new URLSearchParams(address);
  for (const name of [...params.keys()]) if (NOT_KEPT.has(name)) params.delete(name);
  params.sort();
  return params.toString();
}
