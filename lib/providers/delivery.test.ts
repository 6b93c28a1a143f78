import { createServer, type Server } from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDelivery } from "./delivery";

let server: Server;
let port: number;
/** Bodies that came in. */
let received: string[];
let status: number;
let headers: Record<string, string>;

beforeEach(async () => {
  received = [];
  status = 204;
  headers = {};
  server = createServer((request, response) => {
    request.on("data", (chunk: Buffer) => received.push(chunk.toString()));
    request.on("end", () => response.writeHead(status, headers).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "::", resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function call(host: string, timeoutMs = 2_000) {
  return { url: `http://${host}:${port}/hook`, headers: {}, body: '{"a":1}', timeoutMs };
}

/** Every name resolves to these addresses, as a name server of somebody else may say. */
function resolvingTo(...addresses: readonly string[]): LookupFunction {
  return (_hostname, options, callback) => {
    const all = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    const [first] = all;
    if (options.all) return callback(null, all);
    return callback(null, first?.address ?? "", first?.family);
  };
}

test("OB-1: addresses of internal networks get nothing, written out in IPv4, IPv6 or mapped", async () => {
  const deliver = createDelivery({ allowedTargets: [] });
  for (const host of ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0.0.0.0"]) {
    const answer = await deliver(call(host));
    expect([host, answer.outcome, answer.status]).toEqual([host, "target_refused", null]);
  }
  expect(received).toEqual([]);
});

test("OB-1: a name that the system resolves to this machine gets nothing", async () => {
  const deliver = createDelivery({ allowedTargets: [] });
  expect((await deliver(call("localhost"))).outcome).toBe("target_refused");
  expect(received).toEqual([]);
});

test("OB-1: a public name gets nothing when one of its addresses is internal, in either family", async () => {
  for (const addresses of [
    ["127.0.0.1"],
    ["::1"],
    ["::ffff:127.0.0.1"],
    ["8.8.8.8", "127.0.0.1"],
    ["2606:4700::1111", "fd00::1"],
    ["169.254.169.254"],
    [],
  ]) {
    const deliver = createDelivery({ allowedTargets: [], lookup: resolvingTo(...addresses) });
    const answer = await deliver(call("books.example"));
    expect([addresses, answer.outcome]).toEqual([addresses, "target_refused"]);
  }
  expect(received).toEqual([]);
});

test("OB-1: a name that changes its mind is asked at each connection and refused there", async () => {
  let asked = 0;
  const turning: LookupFunction = (hostname, options, callback) => {
    asked += 1;
    // First harmless and without an answer, then this machine.
    const to = asked === 1 ? "192.0.0.8" : "127.0.0.1";
    resolvingTo(to)(hostname, options, callback);
  };
  const deliver = createDelivery({ allowedTargets: [], lookup: turning });
  await deliver(call("books.example", 300));
  expect((await deliver(call("books.example"))).outcome).toBe("target_refused");
  expect(asked).toBe(2);
  expect(received).toEqual([]);
});

test("OB-1: only the very host and port that the installation allows may be internal", async () => {
  const deliver = createDelivery({ allowedTargets: [`127.0.0.1:${port}`] });
  expect(await deliver(call("127.0.0.1"))).toMatchObject({ outcome: "delivered", status: 204 });
  expect((await deliver(call("[::1]"))).outcome).toBe("target_refused");
  const other = createDelivery({ allowedTargets: [`127.0.0.1:${port + 1}`] });
  expect((await other(call("127.0.0.1"))).outcome).toBe("target_refused");
  expect(received).toEqual(['{"a":1}']);
});

test("OB-1: a redirect is never followed, to wherever it leads", async () => {
  const deliver = createDelivery({ allowedTargets: [`127.0.0.1:${port}`] });
  headers = { location: `http://127.0.0.1:${port}/inside` };
  for (status of [301, 302, 303, 307, 308]) {
    expect(await deliver(call("127.0.0.1"))).toMatchObject({ outcome: "redirect", status });
  }
  expect(received).toHaveLength(5);
});

test("OB-1: 410, other refusals and a wish for patience are told apart", async () => {
  const deliver = createDelivery({ allowedTargets: [`127.0.0.1:${port}`] });
  status = 410;
  expect((await deliver(call("127.0.0.1"))).outcome).toBe("gone");
  status = 503;
  headers = { "retry-after": "120" };
  expect(await deliver(call("127.0.0.1"))).toMatchObject({
    outcome: "answered",
    status: 503,
    retryAfterMs: 120_000,
  });
});

test("OB-1: a body without end does not keep us, and its status counts", async () => {
  const endless = createServer((_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(Buffer.alloc(65_536)), 1);
    response.on("close", () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => endless.listen(0, "127.0.0.1", resolve));
  const { port: at } = endless.address() as AddressInfo;
  const deliver = createDelivery({ allowedTargets: [`127.0.0.1:${at}`] });
  const timeoutMs = 30_000;
  const answer = await deliver({ ...call("x", timeoutMs), url: `http://127.0.0.1:${at}/` });
  expect(answer.outcome).toBe("delivered");
  expect(answer.durationMs).toBeLessThan(timeoutMs);
  endless.closeAllConnections();
  await new Promise((resolve) => endless.close(resolve));
});

test("OB-1: silence ends at the time-out, and a refused connection at once", async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port: at } = silent.address() as AddressInfo;
  const deliver = createDelivery({ allowedTargets: [`127.0.0.1:${at}`] });
  const there = { ...call("x", 150), url: `http://127.0.0.1:${at}/` };
  expect((await deliver(there)).outcome).toBe("timeout");
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
  expect((await deliver(there)).outcome).toBe("connection_lost");
});
