import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { handleApi } from "./api";
import { runClock } from "./clock";
import type { Platform } from "./context";
import { handleControl } from "./control";
import { openDatabase } from "./database";
import { readCall, sendJson } from "./http";
import { handleMailPage } from "./mail-page";
import { type MailServer, startMailServer } from "./mail-server";
import { handleReceiver } from "./receiver";
import { handleSignerPage } from "./signer-page";
import { handleTsa } from "./tsa";

export interface SandboxOptions {
  readonly databaseUrl: string;
  /** 0: any free port. */
  readonly port: number;
  /** Where mails are caught, 0 for any free port; no mail server when left out. */
  readonly mailPort?: number;
  /** Real time in epoch milliseconds; the machine's clock when left out. */
  readonly now?: () => number;
}

export interface Sandbox {
  readonly url: string;
  /** Where mails are caught; null without a mail server. */
  readonly mailUrl: string | null;
  close(): Promise<void>;
}

/** Starts the sandbox platform on this machine only. Rejects when the database or the port is not to be had. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const database = await openDatabase(options.databaseUrl);
  const stop = new AbortController();
  const platform: Platform = {
    database,
    now: options.now ?? Date.now,
    stopping: stop.signal,
    underWay: new Map(),
  };
  const server = createServer((request, response) => {
    handle(platform, request, response).catch(() => fail(response));
  });
  let mail: MailServer | null = null;
  try {
    if (options.mailPort !== undefined) mail = await startMailServer(database, options.mailPort);
    await listen(server, options.port);
  } catch (error) {
    await mail?.close();
    await database.end();
    throw error;
  }
  const clock = runClock(platform);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    mailUrl: mail && `smtp://127.0.0.1:${mail.port}`,
    close: async () => {
      stop.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await Promise.all([closed, clock, mail?.close()]);
      await database.end();
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
}

async function handle(
  platform: Platform,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const call = await readCall(request, platform.now());
  if (!call) return sendJson(response, 413, { error: { code: "too_large" } });
  switch (call.path[0]) {
    case "v1":
      return handleApi(platform, call, response);
    case "control":
      return handleControl(platform, call, response);
    case "sign":
      return handleSignerPage(platform, call, response);
    case "tsa":
      return handleTsa(platform, call, response);
    case "receiver":
      return handleReceiver(platform, call, response);
    case "mails":
      return handleMailPage(platform, call, response);
    case "health":
      return sendJson(response, 200, { ok: true });
    default:
      return sendJson(response, 404, { error: { code: "no_such_address" } });
  }
}

/** Something inside broke, or the platform stops in the middle of the call. */
function fail(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else sendJson(response, 500, { error: { code: "internal" } });
}
