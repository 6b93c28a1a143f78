import type { ViewTab } from "@/components/view-tabs";
import type { ViewCounts } from "@/lib/queries/review-counts";
import type { ReviewsQuery } from "@/lib/queries/review-list-query";
import { type Address, addressText } from "./address";

type View = ReviewsQuery["view"];

const VIEWS: readonly { readonly view: View; readonly label: string }[] = [
  { view: "mine", label: "Mine and my team's" },
  { view: "untaken", label: "Nobody has taken it" },
  { view: "breached", label: "Breached" },
  { view: "critical", label: "Critical" },
  { view: "second_person", label: "Waits for a second person" },
  { view: "settled", label: "Settled, not yet seen" },
  { view: "snoozed", label: "Snoozed" },
  { view: "all", label: "All open" },
  { view: "closed", label: "Closed" },
];

/** The view of an address; one's own where it names none. */
export function viewOf(address: Address): View {
  return VIEWS.find(({ view }) => view === address.view)?.view ?? "mine";
}

/** The views as tabs with their counts; what is closed is history and not counted. */
export function viewTabs(path: string, address: Address, counts: ViewCounts): readonly ViewTab[] {
  const now = viewOf(address);
  return VIEWS.map(({ view, label }) => ({
    label,
    href: `${path}${addressText({ view })}`,
    active: view === now,
    ...(view === "closed" ? {} : { count: counts[view] }),
  }));
}
