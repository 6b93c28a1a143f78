import type { CapabilityDescriptor } from "./capability";
import { epochOf, instantOf } from "./zone";

/**
 * The expiry that a platform will show for an approved instant (TM-3, C-24): the instant itself, or rounded down to
 * what the platform stores; null where whole days from the call decide, so that nobody can say yet.
 */
export function shownExpiry(target: string, { expiryForm }: CapabilityDescriptor): string | null {
  if (expiryForm.kind === "relative_days") return null;
  const epoch = epochOf(target);
  return instantOf(epoch - (epoch % expiryForm.granularityMs));
}
