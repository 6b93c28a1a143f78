import { Pool } from "undici";
import type { Prepared } from "./day";

/** Sends deliveries to one endpoint over connections that stay open. */
export interface Sender {
  /** The status of one attempt; 0 when there was no answer. */
  once(delivery: Prepared): Promise<number>;
  close(): Promise<void>;
}

export function openSender(url: string, path: string, connections: number): Sender {
  const pool = new Pool(url, { connections, pipelining: 1 });
  return {
    async once({ headers, body }) {
      try {
        const answer = await pool.request({ method: "POST", path, headers, body });
        await answer.body.dump();
        return answer.statusCode;
      } catch {
        // No answer: the delivery counts as not taken and is sent again.
        return 0;
      }
    },
    close: () => pool.close(),
  };
}

const isTaken = (status: number) => status >= 200 && status < 300;

/** A sender that was not heard comes again after this time. Milliseconds. */
const AGAIN_MS = 100;

/** Sends until it is taken; returns how many attempts were in vain. */
async function untilTaken(sender: Sender, delivery: Prepared): Promise<number> {
  for (let vain = 0; ; vain += 1) {
    if (isTaken(await sender.once(delivery))) return vain;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

export interface Steady {
  /** Milliseconds from the moment at which each delivery was due to its 2xx. */
  readonly latencies: readonly number[];
  readonly repeated: number;
}

/** Sends at a steady rate whatever the answers take, each again until it is taken. */
export async function sendSteadily(
  sender: Sender,
  deliveries: readonly Prepared[],
  perSecond: number,
): Promise<Steady> {
  const latencies: number[] = [];
  let repeated = 0;
  const startedAt = performance.now();
  const sending = deliveries.map(async (delivery, place) => {
    const dueAt = startedAt + (place * 1000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, dueAt - performance.now()));
    repeated += await untilTaken(sender, delivery);
    latencies.push(performance.now() - dueAt);
  });
  await Promise.all(sending);
  return { latencies, repeated };
}

export interface Storm {
  readonly perSecond: number;
  readonly repeated: number;
}

/** Sends as fast as they are taken, `atOnce` at a time, each again until it is taken. */
export async function sendStorm(
  sender: Sender,
  deliveries: readonly Prepared[],
  atOnce: number,
): Promise<Storm> {
  let next = 0;
  let repeated = 0;
  const startedAt = performance.now();
  const one = async () => {
    for (let delivery = deliveries[next++]; delivery; delivery = deliveries[next++]) {
      repeated += await untilTaken(sender, delivery);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  const perSecond = (deliveries.length * 1000) / (performance.now() - startedAt);
  return { perSecond, repeated };
}
