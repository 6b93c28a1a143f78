import { createServer, type Server } from "node:net";
import { afterEach, expect, test } from "vitest";
import { freePort } from "./ports";

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

function listen(host: string): Promise<number> {
  const server = createServer();
  servers.push(server);
  return new Promise((resolve) => {
    server.listen(0, host, () => resolve((server.address() as { port: number }).port));
  });
}

test("a free port is taken as it was asked for", async () => {
  const port = await freePort();
  expect(await freePort(port)).toBe(port);
});

test.each(["127.0.0.1", "0.0.0.0"])(
  "a port on which a stranger listens at %s is avoided",
  async (host) => {
    const taken = await listen(host);
    expect(await freePort(taken)).not.toBe(taken);
  },
);
