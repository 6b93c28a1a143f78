"use client";

import { useReadingZone } from "@/components/frame/reading-zone";
import { formatMoment } from "@/lib/domain/deadline";

/** A moment within a sentence, in the reading zone. */
export function InlineMoment({ instant }: { readonly instant: string }) {
  const zone = useReadingZone(null);
  return <time dateTime={instant}>{formatMoment(instant, zone)}</time>;
}
