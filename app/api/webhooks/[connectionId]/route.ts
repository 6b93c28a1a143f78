import { BODY_BYTES_MAX, BODY_WITHIN_MS, takeDelivery } from "@/app/api/webhooks/take-delivery";

/** The endpoint of one platform connection (IN-1). */
export async function POST(
  request: Request,
  { params }: { params: Promise<{ connectionId: string }> },
): Promise<Response> {
  const { connectionId } = await params;
  const { status, headers } = await takeDelivery({
    connectionId,
    header: (name) => request.headers.get(name),
    body: () => boundedBody(request),
  });
  return new Response(null, { status, headers });
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
