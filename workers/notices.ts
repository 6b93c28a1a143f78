import { claimDueNotices, dispatchNotice } from "@/lib/flows/dispatch-notices";
import { endSettledMatters } from "@/lib/flows/end-settled-matters";
import { planNotices } from "@/lib/flows/plan-notices";
import { tellApprovers } from "@/lib/flows/tell-approvers";
import { tellNextInLine } from "@/lib/flows/tell-next-in-line";
import { describeError } from "@/lib/runtime/log";
import type { WorkerRuntime } from "@/lib/runtime/worker";
import { type Hands, taking } from "./hands";
import { loop } from "./loop";

const REST_MS = 1_000;
const SETTLED_REST_MS = 5_000;

/** Tells people what waits for them (OB-2), until `signal`. What a broken attempt held ends with its lease. */
export async function notifying(
  { context, notices }: WorkerRuntime,
  hands: Hands,
  signal: AbortSignal,
): Promise<void> {
  const { log } = context;
  if (notices.mail === null) log.info({ event: "mail_off" });
  const shared = { signal, log, restMs: REST_MS };
  const dispatch = taking(
    hands,
    (limit) => claimDueNotices(context, limit),
    (claimed) => dispatchNotice(context, notices, claimed),
    ({ tenantId }, error) =>
      log.error({
        event: "pass_failed",
        kind: "notices",
        tenant: tenantId,
        error: describeError(error),
      }),
  );
  const plan = async () =>
    (await tellApprovers(context)) +
    (await planNotices(context, notices.mail !== null)) +
    (await tellNextInLine(context));
  await Promise.all([
    loop(plan, { ...shared, name: "notice_plans" }),
    loop(dispatch, { ...shared, name: "notices" }),
    loop(() => endSettledMatters(context), {
      ...shared,
      name: "settled_matters",
      restMs: SETTLED_REST_MS,
    }),
  ]);
}
