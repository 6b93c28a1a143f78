import { StateBadge } from "@/components/state-badge";
import type { SubscriberFacts } from "@/lib/queries/subscribers-page";

/** Whether a subscriber is told now, and why not. */
export function HealthBadge({ subscriber }: { readonly subscriber: SubscriberFacts }) {
  return <StateBadge family="subscriber" code={healthOf(subscriber)} />;
}

function healthOf({ state, stoppedWhy, dead }: SubscriberFacts) {
  if (state === "stopped") return stoppedWhy === "person" ? "stopped" : (stoppedWhy ?? "stopped");
  return dead > 0 ? "troubled" : "active";
}
