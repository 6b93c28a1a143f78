"use client";

import { useNow } from "@/components/frame/live";
import { formatAge } from "@/lib/domain/deadline";

/** `38 s ago`, counting on by the server's clock; the instant itself is in `datetime`. */
export function TimeAgo({ instant }: { readonly instant: string }) {
  return <time dateTime={instant}>{formatAge(instant, useNow())}</time>;
}
