"use client";

import { useLive } from "@/components/frame/live";
import { type FreshRead, useFreshRead } from "@/components/use-fresh-read";
import type { RequestHead } from "@/lib/queries/request-head";
import type { RequestView } from "@/lib/queries/request-page";

/** The request as it is known now, with one read of the platform ordered when the form opened (screens 3.4). */
export function usePresentRequest(
  tenant: string,
  initial: RequestHead,
): { readonly request: RequestHead; readonly read: FreshRead } {
  const { ref } = initial;
  const live = useLive<Pick<RequestView, keyof RequestHead>>(
    [tenant, "request-head", ref],
    `/api/v1/t/${tenant}/requests/${ref}`,
    initial,
  );
  return { request: live.data, read: useFreshRead(tenant, ref, { onOpen: true }) };
}
