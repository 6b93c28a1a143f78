import { claimDueDeliveries, relayDelivery } from "@/lib/flows/relay-deliveries";
import { describeError } from "@/lib/runtime/log";
import type { WorkerRuntime } from "@/lib/runtime/worker";
import { type Hands, taking } from "./hands";
import { loop } from "./loop";
import type { WorkerSession } from "./session";

const REST_MS = 1_000;

/** Hands on to subscribers what is released (OB-1), until `signal`. What a broken attempt held ends with its lease. */
export function relaying(
  { context, deliver }: WorkerRuntime,
  session: WorkerSession,
  hands: Hands,
  signal: AbortSignal,
): Promise<void> {
  const { log } = context;
  const relay = taking(
    hands,
    (limit) => claimDueDeliveries(context, limit),
    (delivery) => relayDelivery(context, deliver, delivery),
    ({ tenantId }, error) =>
      log.error({
        event: "pass_failed",
        kind: "outbox",
        tenant: tenantId,
        error: describeError(error),
      }),
  );
  // A delivery that was taken lets the next one of its request go.
  const wakeBy = (wake: () => void) => {
    session.onCall("deadline_outbox", wake);
    hands.onDone(wake);
  };
  return loop(relay, { name: "outbox", restMs: REST_MS, signal, log, wakeBy });
}
