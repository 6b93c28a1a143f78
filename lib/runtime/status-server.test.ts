import { request } from "node:http";
import { afterEach, expect, test } from "vitest";
import type { LogEntry } from "@/lib/flows/context";
import { isLocalHost, mayScrape } from "./metrics-access";
import { type StatusOptions, type StatusServer, serveStatus } from "./status-server";

const servers: StatusServer[] = [];
const entries: LogEntry[] = [];
const note = (entry: LogEntry) => void entries.push(entry);

afterEach(async () => {
  await Promise.all(servers.splice(0).map((one) => one.close()));
  entries.length = 0;
});

async function serve(options: Partial<StatusOptions> = {}): Promise<StatusServer> {
  const server = await serveStatus({
    host: "127.0.0.1",
    port: 0,
    token: undefined,
    log: { debug: note, info: note, warn: note, error: note },
    contentType: "text/plain; version=0.0.4",
    scrape: async () => "deadline_ledger_database_up 1\n",
    ready: async () => "ready",
    ...options,
  });
  servers.push(server);
  return server;
}

/** With `node:http`, since `fetch` does not let a caller choose the Host header. */
function get(port: number, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const call = request({ host: "127.0.0.1", port, path, headers }, (response) => {
      let text = "";
      response.on("data", (part) => {
        text += String(part);
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    call.once("error", reject);
    call.end();
  });
}

test("OP-1: without a token metrics go to this machine only, and to no browser page or proxy on it", async () => {
  const { port } = await serve();
  expect(await get(port, "/metrics")).toEqual({
    status: 200,
    text: "deadline_ledger_database_up 1\n",
  });
  expect((await get(port, "/metrics", { host: "evil.example" })).status).toBe(401);
  expect((await get(port, "/metrics", { "x-forwarded-for": "203.0.113.9" })).status).toBe(401);
  expect((await get(port, "/metrics", { forwarded: "for=127.0.0.1" })).status).toBe(401);
});

test("OP-1: with a token nobody reads metrics without it, from wherever", async () => {
  const { port } = await serve({ token: "a-token-of-sixteen" });
  expect((await get(port, "/metrics")).status).toBe(401);
  const as = (token: string) => get(port, "/metrics", { authorization: `Bearer ${token}` });
  expect((await as("a-token-of-sixteem")).status).toBe(401);
  expect((await as("a-token-of-sixteen")).status).toBe(200);
});

test("OP-2: health answers whatever is wrong, readiness says what is", async () => {
  const { port } = await serve({ ready: async () => "migrations_missing" });
  expect(await get(port, "/health")).toEqual({ status: 200, text: '{"status":"up"}' });
  expect(await get(port, "/ready")).toEqual({
    status: 503,
    text: '{"status":"migrations_missing"}',
  });
  expect((await get(port, "/")).status).toBe(404);
});

test("OP-2: a port that is taken does not keep a worker from working", async () => {
  const first = await serve();
  const second = await serve({ port: first.port });
  expect(second.port).not.toBe(first.port);
  expect((await get(second.port, "/health")).status).toBe(200);
  expect(entries).toContainEqual({ event: "status_port_taken", port: first.port });
});

test("OP-1: a bearer token is compared whole, and hosts of this machine are told from look-alikes", () => {
  expect(mayScrape("secret-secret-1", "secret-secret-1", true)).toBe(false);
  expect(mayScrape("secret-secret-1", "Bearer secret-secret-12", true)).toBe(false);
  expect(mayScrape(undefined, null, false)).toBe(false);
  expect(["localhost:3000", "127.0.0.1", "[::1]:3020"].every(isLocalHost)).toBe(true);
  expect(
    ["localhost.evil.example", "127.0.0.1.nip.example", "", "10.0.0.1"].some(isLocalHost),
  ).toBe(false);
});
