import { formatDeadline } from "@/lib/domain/deadline";
import { Refusal } from "@/lib/domain/refusal";
import { shownExpiry } from "@/lib/domain/shown-expiry";
import { instantOf } from "@/lib/domain/zone";
import type { RequestRow } from "@/lib/store/requests";

/**
 * Throws Refusal `deadline_not_later` unless the platform would show a later expiry than it shows now (TM-3): an
 * instant that it rounds down to the present one would change nothing.
 */
export function refuseShortening(
  { mirrorExpiresAt, descriptor }: RequestRow,
  deadline: { readonly instant: string; readonly zone: string },
): void {
  if (mirrorExpiresAt === null) return;
  const shown = shownExpiry(deadline.instant, descriptor) ?? deadline.instant;
  if (Date.parse(shown) > mirrorExpiresAt.getTime()) return;
  const now = formatDeadline(instantOf(mirrorExpiresAt.getTime()), deadline.zone).line1;
  throw new Refusal("deadline_not_later", {
    values: { now },
    fields: [{ path: "date", sentence: "Choose a later date or time." }],
  });
}
