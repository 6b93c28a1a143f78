"use client";

import { useLive } from "@/components/frame/live";
import { type FreshRead, useFreshRead } from "@/components/use-fresh-read";
import type { RequestHead } from "@/lib/queries/request-head";
import type { RequestView } from "@/lib/queries/request-page";

/** The head of a request; its signers come with the first answer after the page was opened. */
type PresentRequest = RequestHead & Partial<Pick<RequestView, "signers">>;

/** The request as it is known now, with one read of the platform ordered when the form opened (screens 3.4). */
export function usePresentRequest(
  tenant: string,
  initial: RequestHead,
): { readonly request: PresentRequest; readonly read: FreshRead } {
  const { ref } = initial;
  const live = useLive<PresentRequest>(
    [tenant, "request-head", ref],
    `/api/v1/t/${tenant}/requests/${ref}`,
    initial,
  );
  return { request: live.data, read: useFreshRead(tenant, ref, { onOpen: true }) };
}
