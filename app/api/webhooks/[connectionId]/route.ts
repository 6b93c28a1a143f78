import { z } from "zod";
import type { Received } from "@/lib/flows/delivery";
import { receiveEvent } from "@/lib/flows/receive-event";
import { consoleContext, consoleMetrics } from "@/lib/runtime/console";
import { describeError } from "@/lib/runtime/log";

const BODY_BYTES_MAX = 256 * 1024;

/** A sender that is slower than this keeps a place busy. Milliseconds. */
const BODY_WITHIN_MS = 5_000;

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

/** The endpoint of one platform connection. The tenant comes from the connection and its secret (IN-1). */
export async function POST(
  request: Request,
  { params }: { params: Promise<{ connectionId: string }> },
): Promise<Response> {
  const connectionId = z.guid().safeParse((await params).connectionId);
  if (!connectionId.success) return answer(STATUS.refused);
  // The signature is over the bytes as they travel; whoever packs them can sign nothing that we could check (C-15).
  if (request.headers.has("content-encoding")) return answer(415);
  const raw = await boundedBody(request);
  if (typeof raw === "number") return answer(raw);
  const headers = Object.fromEntries(
    HEADERS.map((name) => [name, request.headers.get(name) ?? ""]),
  );
  const ctx = consoleContext();
  const began = performance.now();
  try {
    const received = await receiveEvent(ctx, { connectionId: connectionId.data, raw, headers });
    count(received, began);
    return answer(STATUS[received]);
  } catch (error) {
    // Nothing is known to be recorded: the sender must try again (IN-2).
    ctx.log.error({ event: "webhook_not_recorded", error: describeError(error) });
    count("not_recorded", began);
    return answer(503);
  }
}

function count(outcome: Received | "not_recorded", beganMs: number): void {
  const metrics = consoleMetrics();
  metrics.count("deadline_ledger_webhook_deliveries_total", { outcome });
  const seconds = (performance.now() - beganMs) / 1000;
  metrics.observe("deadline_ledger_webhook_seconds", { outcome }, seconds);
}

function answer(status: number): Response {
  return new Response(null, { status });
}

/** The body's bytes; a status as soon as there are more than the bound, they take too long, or the sender is gone. */
async function boundedBody(request: Request): Promise<Uint8Array | 400 | 408 | 413> {
  const reader = request.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  const late = new AbortController();
  const stop = () => {
    late.abort();
    void reader.cancel().catch(() => undefined);
  };
  const timer = setTimeout(stop, BODY_WITHIN_MS);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      size += read.value.byteLength;
      if (size > BODY_BYTES_MAX) return 413;
      chunks.push(read.value);
    }
  } catch {
    // The connection broke while the body came in; nobody waits for this answer.
    return late.signal.aborted ? 408 : 400;
  } finally {
    clearTimeout(timer);
  }
  return late.signal.aborted ? 408 : Buffer.concat(chunks);
}
