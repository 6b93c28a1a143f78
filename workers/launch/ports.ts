import { createServer } from "node:net";

/**
 * Finds a port of this machine on which nothing listens. `preferred` is taken when it is free, otherwise the
 * system chooses one; another program may still take it before it is used.
 */
export async function freePort(preferred = 0): Promise<number> {
  for (const wanted of [preferred, 0, 0, 0]) {
    const port = await listenOnce(wanted, "127.0.0.1");
    // A browser asks for localhost at ::1 first: a stranger there would get our visitors.
    if (port !== null && (await listenOnce(port, "::1")) !== null) return port;
  }
  throw new Error("This machine has no free port left.");
}

/** The port, or null when it is taken. A machine without IPv6 has nobody at ::1. */
function listenOnce(port: number, host: string): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code === "EADDRINUSE" || error.code === "EACCES" ? null : port);
    });
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const found = typeof address === "object" && address ? address.port : null;
      server.close(() => resolve(found));
    });
  });
}
