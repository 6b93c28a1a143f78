import { z } from "zod";
import type { Received } from "@/lib/flows/delivery";
import { deliveryWaitMs, noteDelivery } from "@/lib/flows/limit-deliveries";
import { receiveEvent } from "@/lib/flows/receive-event";
import { consoleContext } from "@/lib/runtime/console";
import { describeError } from "@/lib/runtime/log";

export const BODY_BYTES_MAX = 256 * 1024;

/** A sender that is slower than this keeps a place busy. Milliseconds. */
export const BODY_WITHIN_MS = 5_000;

/** 2xx only for what is recorded; 202 says that it is not applied, or that a person has to look at it (IN-2, IN-4). */
const STATUS: Record<Received, number> = {
  refused: 401,
  received: 202,
  applied: 200,
  no_change: 200,
  duplicate: 200,
  unmatched: 202,
  quarantined: 202,
};

const HEADERS = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

/** A delivery as it stands at the door, on whichever server. */
export interface Incoming {
  readonly connectionId: string;
  /** Null where the delivery has no such header; the name is in small letters. */
  header(name: string): string | null;
  /** The bytes as they travelled, or the status that says why they did not all come. */
  body(): Promise<Uint8Array | 400 | 408 | 413>;
}

export interface Taken {
  readonly status: number;
  /** Headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers one delivery (IN-1, IN-2, PV-6). The tenant comes from the connection and its secret. Never throws. */
export async function takeDelivery(incoming: Incoming): Promise<Taken> {
  const connectionId = z.guid().safeParse(incoming.connectionId);
  if (!connectionId.success) return answer(STATUS.refused);
  // The signature is over the bytes as they travel; whoever packs them can sign nothing that we could check (C-15).
  if (incoming.header("content-encoding") !== null) return answer(415);
  const ctx = consoleContext();
  const source = incoming.header("x-forwarded-for") ?? "direct";
  const knock = { connectionId: connectionId.data, source };
  const waitMs = deliveryWaitMs(ctx, knock);
  if (waitMs > 0) return answer(429, { "retry-after": String(Math.ceil(waitMs / 1000)) });
  const raw = await incoming.body();
  if (typeof raw === "number") return answer(raw);
  const headers = Object.fromEntries(HEADERS.map((name) => [name, incoming.header(name) ?? ""]));
  try {
    const received = await receiveEvent(ctx, { connectionId: connectionId.data, raw, headers });
    noteDelivery(ctx, knock, received);
    return answer(STATUS[received]);
  } catch (error) {
    // Nothing is known to be recorded: the sender must try again (IN-2).
    ctx.log.error({ event: "webhook_not_recorded", error: describeError(error) });
    return answer(503);
  }
}

function answer(status: number, headers: Taken["headers"] = {}): Taken {
  return { status, headers };
}
