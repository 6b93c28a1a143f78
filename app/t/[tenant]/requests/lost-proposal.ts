import { getJson } from "@/components/api-call";
import type { RequestView } from "@/lib/queries/request-page";

export interface Own {
  readonly tenant: string;
  readonly ref: string;
  readonly approvalId: string;
}

/** The operation that this form's approval id made; null when there is none, undefined when nobody answers. */
export async function findOwn({
  tenant,
  ref,
  approvalId,
}: Own): Promise<string | null | undefined> {
  const answer = await getJson<RequestView>(`/api/v1/t/${tenant}/requests/${ref}`);
  if (answer.kind !== "ok") return undefined;
  return answer.data.operations.find((one) => one.approvalId === approvalId)?.opId ?? null;
}

const CHECK_EVERY_MS = 2000;

/** Looks until it is known whether the proposal was recorded (screens 4.1). */
export async function settleLost(
  own: Own,
  show: (said: { readonly stopped: boolean; readonly status: string }) => void,
  open: (opId: string) => void,
): Promise<void> {
  const status = "We did not hear back. Your proposal may have been recorded. Checking…";
  show({ stopped: true, status });
  for (;;) {
    const found = await findOwn(own);
    if (typeof found === "string") return open(found);
    if (found === null) {
      const said = "It was not recorded. You can propose again.";
      return show({ stopped: false, status: said });
    }
    await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
  }
}
