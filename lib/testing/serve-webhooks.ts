import { createServer, type IncomingMessage } from "node:http";
import { BODY_BYTES_MAX, takeDelivery } from "@/app/api/webhooks/take-delivery";

/**
 * A process that serves the console's endpoint for webhooks and nothing else: what the console does with a delivery, on
 * Node's own HTTP server. Says `webhooks_ready` with its address on one line.
 */
const server = createServer((incoming, outgoing) => {
  const taken = takeDelivery({
    connectionId: incoming.url?.slice(incoming.url.lastIndexOf("/") + 1) ?? "",
    header: (name) => headerOf(incoming, name),
    body: () => bodyOf(incoming),
  });
  void taken.then(
    ({ status, headers }) => outgoing.writeHead(status, headers).end(),
    () => outgoing.writeHead(500).end(),
  );
});

/** As the console's server does: where no proxy says where a delivery comes from, its own connection does. */
function headerOf({ headers, socket }: IncomingMessage, name: string): string | null {
  const given = headers[name];
  if (given !== undefined) return Array.isArray(given) ? given.join(", ") : given;
  return name === "x-forwarded-for" ? (socket.remoteAddress ?? null) : null;
}

async function bodyOf(incoming: IncomingMessage): Promise<Uint8Array | 413> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    // The rest is read and thrown away, so that the answer arrives.
    if (size <= BODY_BYTES_MAX) chunks.push(chunk);
  }
  return size > BODY_BYTES_MAX ? 413 : Buffer.concat(chunks);
}

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  process.stdout.write(`webhooks_ready http://127.0.0.1:${port}\n`);
});
