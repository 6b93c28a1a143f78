import { landingOf, mayOpen, type RouteKey } from "@/lib/domain/navigation";
import type { Role } from "@/lib/domain/role";

export interface FramePage {
  readonly key: RouteKey;
  readonly path: string;
  readonly label: string;
  /** Lucide name. */
  readonly icon: string;
  /** Pressed after `g`; null for a page without a key of its own. */
  readonly goKey: string | null;
}

export interface PageGroup {
  readonly label: string;
  readonly pages: readonly FramePage[];
}

function page(
  key: RouteKey,
  path: string,
  label: string,
  icon: string,
  goKey: string | null,
): FramePage {
  return { key, path, label, icon, goKey };
}

/** The pages that the menu, the palette and the go keys lead to. */
const GROUPS: readonly PageGroup[] = [
  {
    label: "Work",
    pages: [
      page("approvals", "/approvals", "Approvals", "badge-check", "a"),
      page("deadlines", "/deadlines", "Deadlines", "calendar-clock", "d"),
      page("requests", "/requests", "Requests", "file-pen", "q"),
    ],
  },
  {
    label: "Watch",
    pages: [
      page("operations", "/operations", "Operations", "send", "o"),
      page("reviews", "/reviews", "Review queue", "user-search", "r"),
      page("inbox", "/inbox", "Inbox", "inbox", "i"),
      page("outbox", "/outbox", "Outbox", "send-horizontal", "u"),
    ],
  },
  {
    label: "Prove",
    pages: [
      page("history", "/history", "History", "history", "h"),
      page("packs", "/history/packs", "Evidence packs", "badge-check", null),
      page("erasures", "/privacy/erasures", "Erasures", "user-x", null),
    ],
  },
  {
    label: "Run",
    pages: [
      page("controls", "/controls", "Kill switch", "octagon-pause", "k"),
      page("settings", "/settings", "Settings", "sliders-horizontal", ","),
      page("system", "/system", "System", "heart-pulse", "y"),
    ],
  },
];

/** The menu of a role: what it may not open is absent (screens 1.1). */
export function pageGroupsFor(role: Role): readonly PageGroup[] {
  return GROUPS.map((group) => ({
    ...group,
    pages: group.pages.filter((entry) => mayOpen(role, entry.key)),
  })).filter((group) => group.pages.length > 0);
}

/** The path below the tenant on which the role starts: its landing page, or Operations while that page is missing. */
export function startOf(role: Role): string {
  const landing = landingOf(role);
  const exists = GROUPS.some((group) => group.pages.some(({ path }) => landing.startsWith(path)));
  return exists ? landing : "/operations";
}

/** How many pages stand in the narrow bar, beside "Search" and "More". */
const BAR_PAGES = 3;

/** The pages of the narrow bar: where the role starts, Deadlines and the review queue, then what comes first. */
export function pagesOfBar(role: Role): readonly RouteKey[] {
  const pages = pageGroupsFor(role).flatMap((group) => group.pages);
  const start = pages.find(({ path }) => startOf(role).startsWith(path));
  const wanted: readonly (RouteKey | undefined)[] = [start?.key, "deadlines", "reviews"];
  const first = pages.filter(({ key }) => wanted.includes(key));
  const rest = pages.filter(({ key }) => !wanted.includes(key));
  return [...first, ...rest].slice(0, BAR_PAGES).map(({ key }) => key);
}

/** The page of the menu that a path below the tenant belongs to: the one of several that says most of it. */
export function pageAt(role: Role, pathBelowTenant: string): FramePage | null {
  const [found] = pageGroupsFor(role)
    .flatMap((group) => group.pages)
    .filter(({ path }) => pathBelowTenant === path || pathBelowTenant.startsWith(`${path}/`))
    .sort((a, b) => b.path.length - a.path.length);
  return found ?? null;
}

/** The page in another tenant for a path in this one: the same list where there is one, else null. */
export function samePageIn(role: Role, pathBelowTenant: string): string | null {
  return pageAt(role, pathBelowTenant)?.path ?? null;
}
