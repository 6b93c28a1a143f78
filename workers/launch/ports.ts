import { createServer } from "node:net";

/**
 * Finds a port of this machine on which nothing listens. `preferred` is taken when it is free, otherwise the
 * system chooses one; another program may still take it before it is used.
 */
export async function freePort(preferred = 0): Promise<number> {
  return (await listenOnce(preferred)) ?? (await listenOnce(0)) ?? preferred;
}

function listenOnce(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(null));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
      const address = server.address();
      const found = typeof address === "object" && address ? address.port : null;
      server.close(() => resolve(found));
    });
  });
}
