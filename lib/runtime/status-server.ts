import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Log } from "@/lib/flows/context";
import { describeError } from "./log";
import { isLocalHost, isLoopback, mayScrape } from "./metrics-access";

export interface StatusServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface StatusOptions {
  readonly host: string;
  /** 0 for any free one; one that is taken is replaced by a free one, since work matters more than its watching. */
  readonly port: number;
  readonly token: string | undefined;
  readonly log: Log;
  readonly contentType: string;
  readonly scrape: () => Promise<string>;
  /** A code: `ready`, or why this worker takes no work now. */
  readonly ready: () => Promise<string>;
}

/** Answers for one worker: `/health` (the process is up), `/ready` (it can work), `/metrics` (OP-1, OP-2). */
export async function serveStatus(options: StatusOptions): Promise<StatusServer> {
  const server = createServer((request, response) => {
    void answer(options, request, response).catch((error: unknown) => {
      options.log.error({ event: "status_failed", error: describeError(error) });
      response.destroy();
    });
  });
  server.requestTimeout = 10_000;
  server.keepAliveTimeout = 1_000;
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, options.host, () => {
        server.off("error", reject);
        resolve();
      });
    });
  try {
    await listen(options.port);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    options.log.warn({ event: "status_port_taken", port: options.port });
    await listen(0);
  }
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  options: StatusOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? "").split("?", 1)[0];
  if (request.method !== "GET" && request.method !== "HEAD") return send(response, 405, "");
  if (path === "/health") return json(response, 200, "up");
  if (path === "/ready") {
    const status = await options.ready();
    return json(response, status === "ready" ? 200 : 503, status);
  }
  if (path !== "/metrics") return send(response, 404, "");
  const { authorization } = request.headers;
  if (!mayScrape(options.token, authorization, isFromHere(request))) {
    response.setHeader("www-authenticate", "Bearer");
    return send(response, 401, "");
  }
  response.setHeader("content-type", options.contentType);
  send(response, 200, await options.scrape());
}

/** A page in a browser of this machine can call us under a name of its own, and a proxy can stand for strangers. */
function isFromHere(request: IncomingMessage): boolean {
  const { host, forwarded } = request.headers;
  return (
    isLoopback(request.socket.remoteAddress ?? "") &&
    isLocalHost(host ?? "") &&
    forwarded === undefined &&
    request.headers["x-forwarded-for"] === undefined
  );
}

function json(response: ServerResponse, code: number, status: string): void {
  response.setHeader("content-type", "application/json");
  send(response, code, JSON.stringify({ status }));
}

function send(response: ServerResponse, code: number, text: string): void {
  response.setHeader("cache-control", "no-store");
  response.setHeader("x-content-type-options", "nosniff");
  response.writeHead(code).end(text);
}
