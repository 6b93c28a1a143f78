import { createServer, type IncomingMessage } from "node:http";
import { Pool } from "pg";

/** What the ledger's intake is compared with: a handler on Node's own server that inserts one row per event. */
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

const server = createServer((incoming, outgoing) => {
  void keep(incoming).then(
    () => outgoing.writeHead(200).end(),
    () => outgoing.writeHead(503).end(),
  );
});

async function keep(incoming: IncomingMessage): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  await pool.query({
    name: "keep",
    text: "INSERT INTO bare_events (id, body) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING",
    values: [incoming.headers["webhook-id"], Buffer.concat(chunks).toString()],
  });
}

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  process.stdout.write(`webhooks_ready http://127.0.0.1:${port}\n`);
});
