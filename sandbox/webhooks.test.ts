import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { aSendCall, type TestAccount, type TestSandbox, testSandbox } from "@/lib/testing/sandbox";

const SECRET = "whsec_c2FuZGJveC10ZXN0LXNlY3JldC0wMDAx";
const waiting = { timeout: 30_000, interval: 25 };
const patience = { timeoutMs: 10_000 };

interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await testSandbox();
});

afterAll(() => sandbox.close());

/** An endpoint that keeps what it gets and answers with the statuses given, then with 204. */
async function endpoint(...statuses: number[]) {
  const deliveries: Delivery[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    deliveries.push({ headers: request.headers, body: Buffer.concat(chunks).toString("utf8") });
    response.writeHead(statuses.shift() ?? 204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    deliveries,
    types: () => deliveries.map(({ body }) => (JSON.parse(body) as { type: string }).type),
    url: `http://127.0.0.1:${port}/hook`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function sent(account: TestAccount): Promise<string> {
  const outcome = await account.provider.send(aSendCall(), patience);
  if (outcome.kind !== "accepted" || outcome.platformRef === null) throw new Error(outcome.kind);
  return outcome.platformRef;
}

function accountWith(url: string) {
  return sandbox.account("exact", { webhookUrl: url, webhookSecret: SECRET });
}

test("SB-1: each change is one event, signed by the Standard Webhooks scheme, without personal data", async () => {
  await using hook = await endpoint();
  const account = await accountWith(hook.url);
  const ref = await sent(account);
  await vi.waitFor(() => expect(hook.types()).toEqual(["request.sent"]), waiting);
  await sandbox.control.act(account.id, ref, { change: "complete" });
  await vi.waitFor(() => expect(hook.deliveries).toHaveLength(3), waiting);
  expect(hook.types().sort()).toEqual(["request.completed", "request.sent", "request.signed"]);
  for (const { headers, body } of hook.deliveries) {
    new Webhook(SECRET).verify(body, headers as Record<string, string>);
    expect(body).not.toMatch(/@|Example|sign\//);
    const authentic = account.provider.verifyWebhook(
      Buffer.from(body),
      headers as Record<string, string>,
      [{ keyId: "k1", secret: SECRET }],
    );
    expect(authentic).toMatchObject({ authentic: true, keyId: "k1" });
    const event = account.provider.parseEvent(Buffer.from(body));
    expect(event).toMatchObject({ eventId: headers["webhook-id"], platformRef: ref });
  }
  const ids = new Set(hook.deliveries.map(({ headers }) => headers["webhook-id"]));
  expect(ids.size).toBe(3);
});

test("SB-1: an endpoint that fails gets the same event again until it takes it", async () => {
  await using hook = await endpoint(500, 503);
  const account = await accountWith(hook.url);
  await sent(account);
  await vi.waitFor(() => expect(hook.deliveries).toHaveLength(3), waiting);
  expect(new Set(hook.deliveries.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  await vi.waitFor(async () => {
    expect((await sandbox.control.pending(account.id)).waiting_webhooks).toBe(0);
  }, waiting);
});

test("SB-2 webhook_duplicated: the same event comes twice", async () => {
  await using hook = await endpoint();
  const account = await accountWith(hook.url);
  await sandbox.control.addFault(account.id, { fault: "webhook_duplicated", operation: "webhook" });
  await sent(account);
  await vi.waitFor(() => expect(hook.deliveries).toHaveLength(2), waiting);
  expect(hook.deliveries[0]?.body).toBe(hook.deliveries[1]?.body);
});

test("SB-2 webhook_dropped: the event never comes, the next one does", async () => {
  await using hook = await endpoint();
  const account = await accountWith(hook.url);
  await sandbox.control.addFault(account.id, { fault: "webhook_dropped", operation: "webhook" });
  const ref = await sent(account);
  await sandbox.control.act(account.id, ref, { change: "void" });
  await vi.waitFor(async () => {
    expect((await sandbox.control.pending(account.id)).waiting_webhooks).toBe(0);
  }, waiting);
  expect(hook.types()).toEqual(["request.voided"]);
});

test("SB-2 webhook_reordered: the next event overtakes the one that waits", async () => {
  await using hook = await endpoint();
  const account = await accountWith(hook.url);
  await sandbox.control.addFault(account.id, {
    fault: "webhook_reordered",
    operation: "webhook",
    parameters: { delayMs: 2500 },
  });
  const ref = await sent(account);
  await sandbox.control.act(account.id, ref, { change: "void" });
  await vi.waitFor(() => expect(hook.types()).toEqual(["request.voided", "request.sent"]), waiting);
});

test("SB-2 webhook_late: the event comes after its delay, with a fresh signature", async () => {
  await using hook = await endpoint();
  const account = await accountWith(hook.url);
  await sandbox.control.addFault(account.id, {
    fault: "webhook_late",
    operation: "webhook",
    parameters: { delayMs: 300 },
  });
  const startedAt = Date.now();
  await sent(account);
  await vi.waitFor(() => expect(hook.deliveries).toHaveLength(1), waiting);
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(300);
});

test("SB-2 clock_skewed C-16: a platform whose clock is off signs with that clock", async () => {
  await using hook = await endpoint();
  const account = await accountWith(hook.url);
  await sandbox.control.addFault(account.id, { fault: "clock_skewed", operation: "send" });
  await sent(account);
  await vi.waitFor(() => expect(hook.deliveries).toHaveLength(1), waiting);
  const [delivery] = hook.deliveries;
  const authentic = account.provider.verifyWebhook(
    Buffer.from(delivery?.body ?? ""),
    delivery?.headers as Record<string, string>,
    [{ keyId: "k1", secret: SECRET }],
  );
  expect(authentic).toEqual({ authentic: false, why: "timestamp" });
});
