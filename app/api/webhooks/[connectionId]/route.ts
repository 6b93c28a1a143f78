import { z } from "zod";
import { type Received, receiveEvent } from "@/lib/flows/receive-event";
import { consoleContext } from "@/lib/runtime/console";
import { describeError } from "@/lib/runtime/log";

const BODY_BYTES_MAX = 256 * 1024;

/** 2xx only for what is recorded; 202 says that a person has to look at it (IN-2, IN-4). */
const STATUS: Record<Received, number> = {
  refused: 401,
  applied: 200,
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
  if (request.headers.has("content-encoding")) return answer(415);
  const raw = await boundedBody(request);
  if (raw === null) return answer(413);
  const headers = Object.fromEntries(
    HEADERS.map((name) => [name, request.headers.get(name) ?? ""]),
  );
  const ctx = consoleContext();
  try {
    const received = await receiveEvent(ctx, { connectionId: connectionId.data, raw, headers });
    return answer(STATUS[received]);
  } catch (error) {
    // Nothing was recorded: the sender must try again (IN-2).
    ctx.log.error({ event: "webhook_not_recorded", error: describeError(error) });
    return answer(503);
  }
}

function answer(status: number): Response {
  return new Response(null, { status });
}

/** The body's bytes; null as soon as there are more than the bound. */
async function boundedBody(request: Request): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
