import { createServer, type IncomingMessage } from "node:http";
import { POST } from "@/app/api/webhooks/[connectionId]/route";

/**
 * A process that serves the console's endpoint for webhooks and nothing else: the same handler on Node's own HTTP
 * server. Says `webhooks_ready` with its address on one line.
 */
const server = createServer((incoming, outgoing) => {
  void answer(incoming).then(
    (status) => outgoing.writeHead(status).end(),
    () => outgoing.writeHead(500).end(),
  );
});

async function answer(incoming: IncomingMessage): Promise<number> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const url = `http://localhost${incoming.url ?? "/"}`;
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const request = new Request(url, { method: "POST", headers, body: Buffer.concat(chunks) });
  const connectionId = new URL(url).pathname.split("/").at(-1) ?? "";
  const { status } = await POST(request, { params: Promise.resolve({ connectionId }) });
  return status;
}

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  process.stdout.write(`webhooks_ready http://127.0.0.1:${port}\n`);
});
