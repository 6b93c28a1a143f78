import { createHmac, randomUUID } from "node:crypto";

/** A delivery that is ready to be sent. */
export interface Prepared {
  readonly id: string;
  readonly platformRef: string;
  readonly status: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const SECRET = Buffer.from("open-case-signing-key-001");

/** The secret of the connection that takes these deliveries. */
export const BENCH_SECRET = `whsec_${SECRET.toString("base64")}`;

/** What a request goes through; every fourth request ends in each of the ways. */
const LIFE = ["sent", "viewed", "partially_signed"] as const;
const ENDS = ["completed", "declined", "expired", "voided"] as const;

/** One event of one request, signed now. */
export function prepare(platformRef: string, status: string): Prepared {
  const id = `evt_${randomUUID().replaceAll("-", "")}`;
  const at = Math.floor(Date.now() / 1000);
  const body = JSON.stringify({
    id,
    type: status === "partially_signed" ? "request.signed" : `request.${status}`,
    timestamp: new Date(at * 1000).toISOString(),
    data: { request_id: platformRef, client_reference: null, status, expires_at: null, version: 3 },
  });
  const signature = createHmac("sha256", SECRET).update(`${id}.${at}.${body}`).digest("base64");
  return {
    id,
    platformRef,
    status,
    body,
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(at),
      "webhook-signature": `v1,${signature}`,
    },
  };
}

/** The whole lives of these requests in the order in which they happen, request after request in turn. */
export function livesOf(platformRefs: readonly string[]): Prepared[] {
  return [...LIFE, null].flatMap((status) =>
    platformRefs.map((ref, place) =>
      prepare(ref, status ?? ENDS[place % ENDS.length] ?? "completed"),
    ),
  );
}

/** What the mirror of each request must show when all of these have arrived, in whatever order. */
export function endsOf(events: readonly Prepared[]): ReadonlyMap<string, string> {
  const rank = (status: string) => {
    const place = (LIFE as readonly string[]).indexOf(status);
    return place === -1 ? LIFE.length : place;
  };
  const ends = new Map<string, string>();
  for (const { platformRef, status } of events) {
    const held = ends.get(platformRef);
    if (held === undefined || rank(status) > rank(held)) ends.set(platformRef, status);
  }
  return ends;
}

/**
 * As a platform delivers: of `total` deliveries the share `copies` repeats an earlier one, and the share `moved` comes
 * later than it happened.
 */
export function asDelivered(
  events: readonly Prepared[],
  { copies, moved, chance }: { copies: number; moved: number; chance: () => number },
): Prepared[] {
  const out: Prepared[] = [];
  for (const event of events) {
    out.push(event);
    if (chance() < copies / (1 - copies)) {
      out.push(out[Math.floor(chance() * out.length)] ?? event);
    }
  }
  for (let place = 0; place < out.length; place += 1) {
    if (chance() >= moved) continue;
    const later = Math.min(out.length - 1, place + 1 + Math.floor(chance() * 400));
    const [one, other] = [out[place], out[later]];
    if (one && other) [out[place], out[later]] = [other, one];
  }
  return out;
}
