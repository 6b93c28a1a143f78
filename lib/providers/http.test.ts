import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { exchange, type HttpCall } from "./http";

/** A platform that answers as told and counts the requests that reached it. */
async function platform(answer: RequestListener) {
  let reached = 0;
  const server = createServer((request, response) => {
    reached += 1;
    request.resume();
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/requests`,
    reached: () => reached,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function callTo(url: string, timeoutMs = 5000): HttpCall {
  return { method: "POST", url, headers: {}, body: { a: 1 }, timeoutMs };
}

test("an answer comes back as status, parsed body, request id and time to wait", async () => {
  await using there = await platform((_request, response) => {
    response.writeHead(429, { "retry-after": "7", "x-request-id": "abc-1" });
    response.end('{"error":{"code":"rate_limited"}}');
  });
  expect(await exchange(callTo(there.url))).toEqual({
    kind: "answer",
    status: 429,
    body: { error: { code: "rate_limited" } },
    requestId: "abc-1",
    retryAfterMs: 7000,
  });
});

test.each([
  ["soon", null],
  ["999999999", 86_400_000],
  ["Wed, 21 Oct 2015 07:28:00 GMT", 0],
] as const)("a Retry-After of %s is a wait of %s ms", async (header, expected) => {
  await using there = await platform((_request, response) => {
    response.writeHead(429, { "retry-after": header }).end("{}");
  });
  expect((await exchange(callTo(there.url))).retryAfterMs).toBe(expected);
});

test("an empty body is an answer without content", async () => {
  await using there = await platform((_request, response) => response.writeHead(204).end());
  expect(await exchange(callTo(there.url))).toMatchObject({
    kind: "answer",
    status: 204,
    body: null,
  });
});

test("PL-3: one bound holds over headers that never come and over a body that drips", async () => {
  await using silent = await platform(() => undefined);
  expect(await exchange(callTo(silent.url, 150))).toMatchObject({
    kind: "no_answer",
    cause: "timeout",
    status: null,
  });
  await using dripping = await platform((_request, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(drip));
  });
  const startedAt = performance.now();
  expect(await exchange(callTo(dripping.url, 200))).toMatchObject({
    cause: "timeout",
    status: 200,
  });
  expect(performance.now() - startedAt).toBeLessThan(5000);
});

test("CL-8: a connection that breaks is reported after exactly one request", async () => {
  await using there = await platform((request) => request.socket.resetAndDestroy());
  expect(await exchange(callTo(there.url))).toMatchObject({
    cause: "connection_lost",
    status: null,
  });
  expect(await exchange({ ...callTo(there.url), method: "GET" })).toMatchObject({
    cause: "connection_lost",
  });
  expect(there.reached()).toBe(2);
});

test("CL-8: a 503 that asks to come back is not tried again, and a redirect is not followed", async () => {
  await using busy = await platform((_request, response) => {
    response.writeHead(503, { "retry-after": "0" }).end("{}");
  });
  expect(await exchange(callTo(busy.url))).toMatchObject({ status: 503 });
  await using moved = await platform((_request, response) => {
    response.writeHead(307, { location: busy.url }).end("{}");
  });
  expect(await exchange(callTo(moved.url))).toMatchObject({ status: 307 });
  expect([busy.reached(), moved.reached()]).toEqual([1, 1]);
});

test("PL-3 C-11: a body that stops in the middle is a cut response with its status", async () => {
  await using there = await platform((_request, response) => {
    response.writeHead(200, { "content-length": "400" });
    response.write("x".repeat(40), () => response.destroy());
  });
  expect(await exchange(callTo(there.url))).toMatchObject({ cause: "response_cut", status: 200 });
});

test.each(["<html>", '{"a":', "x".repeat(1_100_000)])(
  "PL-3: a body that is no JSON of ours is unusable (%#)",
  async (body) => {
    await using there = await platform((_request, response) => response.writeHead(200).end(body));
    expect(await exchange(callTo(there.url))).toMatchObject({
      cause: "response_unusable",
      status: 200,
    });
  },
);

test("a platform that is not there and an address that is none are lost connections", async () => {
  const there = await platform(() => undefined);
  await there[Symbol.asyncDispose]();
  for (const url of [there.url, "http://no-such-host.invalid/", "nonsense"]) {
    expect(await exchange(callTo(url))).toMatchObject({
      kind: "no_answer",
      cause: "connection_lost",
    });
  }
});

test("C-37: an error from inside the HTTP client gives away nothing of the call", async () => {
  const result = await exchange({
    method: "POST",
    url: "http://127.0.0.1:1/s/tok_CANARY_9f3c2a",
    headers: { authorization: "Bearer CANARY_KEY_77\n" },
    body: { email: "pat.canary@example.com" },
    timeoutMs: 500,
  });
  expect(JSON.stringify(result)).not.toMatch(/canary/i);
  expect(result).toMatchObject({ kind: "no_answer", cause: "connection_lost" });
});
