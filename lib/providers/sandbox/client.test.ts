import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { providerFor } from "@/lib/providers/registry";
import { aSendCall } from "@/lib/testing/sandbox";
import { createSandboxProvider } from "./client";
import { descriptorOf } from "./descriptor";
import { type SandboxProfileName, sandboxProfile } from "./profiles";

interface Reply {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

const patience = { timeoutMs: 5000 };
let replies: Reply[] = [];
let received: Received[] = [];
let baseUrl = "";

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const { method, url, headers } = request;
  const text = Buffer.concat(chunks).toString("utf8");
  received.push({ method, url, headers, body: text === "" ? null : JSON.parse(text) });
  const reply = replies.shift() ?? { status: 500 };
  response.writeHead(reply.status, reply.headers).end(reply.body ?? "");
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

beforeEach(() => {
  replies = [];
  received = [];
});

function provider(profile: SandboxProfileName = "exact", now?: () => number) {
  const descriptor = descriptorOf(sandboxProfile(profile));
  return createSandboxProvider({
    baseUrl,
    apiKey: "CANARY_KEY_77",
    descriptor,
    ...(now ? { now } : {}),
  });
}

function error(code: string) {
  return JSON.stringify({ error: { code } });
}

const EXTEND = {
  opId: "8a3f7c1e-0000-4000-8000-000000000001",
  platformRef: "req_1",
  expiresAt: "2027-06-30T08:00:00.000Z",
  ifVersion: "3",
};

const WIRE = {
  id: "req_1",
  client_reference: EXTEND.opId,
  status: "sent",
  sent_at: "2027-03-26T22:30:00.000Z",
  expires_at: "2027-03-31T22:30:00.000Z",
  version: 3,
  last_reminder_at: null,
  reminders: true,
  last_delivery_at: "2027-03-27T08:00:00.000Z",
  signers: [
    { reference: "s_one", status: "signed" },
    { reference: "pat@example.com", status: "sent" },
  ],
};

describe("PL-3: the outcome of a change", () => {
  test.each([
    [200, JSON.stringify(WIRE), { kind: "accepted", platformRef: "req_1" }],
    [204, "", { kind: "accepted", platformRef: null }],
    [200, '{"id":"req', { kind: "unknown", detail: { cause: "response_unusable" } }],
    [301, "{}", { kind: "unknown", detail: { cause: "unlisted", httpStatus: 301 } }],
    [400, error("invalid_payload"), { kind: "rejected_payload" }],
    [400, error("expiry_in_past"), { kind: "rejected_payload" }],
    [400, error("invalid_state"), { kind: "unknown", detail: { cause: "unlisted" } }],
    [400, "", { kind: "unknown" }],
    [401, error("invalid_credentials"), { kind: "rejected_fixable", fix: "credentials" }],
    [401, "", { kind: "rejected_fixable", fix: "credentials" }],
    [403, error("forbidden"), { kind: "rejected_fixable", fix: "credentials" }],
    [404, error("request_not_found"), { kind: "unknown" }],
    [404, error("template_not_found"), { kind: "rejected_fixable", fix: "template" }],
    [409, error("busy"), { kind: "declined", by: "conflict" }],
    [412, error("version_changed"), { kind: "precondition_failed" }],
    [418, error("teapot"), { kind: "unknown", detail: { platformCode: "teapot" } }],
    [422, error("request_completed"), { kind: "refused_state" }],
    [422, error("template_not_found"), { kind: "rejected_fixable", fix: "template" }],
    [422, error("something_else"), { kind: "unknown" }],
    [423, error("locked"), { kind: "declined", by: "conflict" }],
    [429, error("rate_limited"), { kind: "declined", by: "rate_limit" }],
    [429, "<html>", { kind: "unknown", detail: { cause: "response_unusable", httpStatus: 429 } }],
    [500, error("request_completed"), { kind: "unknown", detail: { cause: "platform_error" } }],
    [502, "<html>", { kind: "unknown" }],
    [503, error("template_not_found"), { kind: "unknown", detail: { cause: "platform_error" } }],
  ])("%i %s", async (status, body, expected) => {
    replies = [{ status, body }];
    expect(await provider().extend(EXTEND, patience)).toMatchObject(expected);
    expect(received).toHaveLength(1);
  });

  test("a refusal carries how long to wait and the platform's ids", async () => {
    const headers = { "retry-after": "2", "x-request-id": "abc123" };
    replies = [{ status: 429, body: error("rate_limited"), headers }];
    expect(await provider().extend(EXTEND, patience)).toEqual({
      kind: "declined",
      by: "rate_limit",
      retryAfterMs: 2000,
      detail: {
        cause: "platform_error",
        httpStatus: 429,
        platformCode: "rate_limited",
        platformRequestId: "abc123",
      },
    });
  });
});

test.each(["{}", '{"id":""}', '{"id":"../evil"}', '{"id":7}', "[]", "null", ""])(
  "PL-3: a send that is answered 201 %s is unknown, for the reference is not usable",
  async (body) => {
    replies = [{ status: 201, body }];
    expect(await provider().send(aSendCall(), patience)).toMatchObject({
      kind: "unknown",
      detail: { cause: "response_unusable", httpStatus: 201 },
    });
  },
);

test("ID-2: a send carries our op id as reference, and as key only where there are keys", async () => {
  const call = aSendCall();
  replies = [
    { status: 201, body: '{"id":"req_9"}' },
    { status: 201, body: '{"id":"req_9"}' },
  ];
  await provider("exact").send(call, patience);
  expect(await provider("key_kept").send(call, patience)).toEqual({
    kind: "accepted",
    platformRef: "req_9",
  });
  expect(received.map((it) => (it.body as { client_reference: string }).client_reference)).toEqual([
    call.opId,
    call.opId,
  ]);
  expect(received.map((it) => it.headers["idempotency-key"])).toEqual([undefined, call.opId]);
});

test("PL-5: a change names the version only where the platform compares it", async () => {
  replies = [
    { status: 200, body: "{}" },
    { status: 200, body: "{}" },
    { status: 200, body: "{}" },
  ];
  await provider("exact").extend(EXTEND, patience);
  await provider("versioned").extend(EXTEND, patience);
  await provider("versioned").extend({ ...EXTEND, ifVersion: null }, patience);
  expect(received.map((it) => it.headers["if-match"])).toEqual([undefined, '"3"', undefined]);
  expect(received[0]?.body).toEqual({ expires_at: EXTEND.expiresAt });
});

test("every kind of change has its own address and reason", async () => {
  replies = Array.from({ length: 4 }, () => ({ status: 200, body: "{}" }));
  const it = provider();
  await it.resend(EXTEND, patience);
  await it.remind({ ...EXTEND, subjectRefs: ["sub_1"], message: "Soon?" }, patience);
  await it.expire(EXTEND, patience);
  await it.void({ ...EXTEND, reason: "replaced" }, patience);
  expect(received.map(({ url, body }) => [url, body])).toEqual([
    ["/v1/requests/req_1/resend", {}],
    ["/v1/requests/req_1/remind", { signers: ["sub_1"], message: "Soon?" }],
    ["/v1/requests/req_1/expire", {}],
    ["/v1/requests/req_1/void", { reason: "replaced" }],
  ]);
});

describe("TM-3 C-24: a platform that counts in whole days", () => {
  const target = "2027-03-31T15:00:00.000Z";
  const sentAt = Date.parse("2027-03-26T22:30:00.000Z");

  test("a send of 4.6875 days asks for 5", async () => {
    replies = [{ status: 201, body: '{"id":"req_9"}' }];
    await provider("relative_days", () => sentAt).send(aSendCall({ expiresAt: target }), patience);
    expect(received[0]?.body).toMatchObject({ expires_in_days: 5 });
    expect(received[0]?.body).not.toHaveProperty("expires_at");
  });

  test("an extension counts from the instant of sending that the platform shows", async () => {
    replies = [
      { status: 200, body: JSON.stringify(WIRE) },
      { status: 200, body: "{}" },
    ];
    const call = { ...EXTEND, expiresAt: "2027-04-02T22:30:00.001Z" };
    expect((await provider("relative_days").extend(call, patience)).kind).toBe("accepted");
    expect(received.map(({ method, body }) => [method, body])).toEqual([
      ["GET", null],
      ["POST", { expires_in_days: 8 }],
    ]);
  });

  test("without that instant nothing is asked for", async () => {
    replies = [{ status: 503, body: "{}" }];
    expect((await provider("relative_days").extend(EXTEND, patience)).kind).toBe("unknown");
    expect(received.map(({ method }) => method)).toEqual(["GET"]);
  });
});

describe("PL-4: what a read came to", () => {
  test("one request, reduced to what a receipt needs", async () => {
    replies = [{ status: 200, body: JSON.stringify({ ...WIRE, title: "CANARY" }) }];
    expect(await provider().readRequest("req_1", patience)).toEqual({
      kind: "read",
      matches: [
        {
          platformRef: "req_1",
          clientReference: EXTEND.opId,
          status: "sent",
          rawStatus: "sent",
          expiresAt: WIRE.expires_at,
          version: "3",
          lastReminderAt: null,
          platformReminders: true,
          lastDeliveryAt: WIRE.last_delivery_at,
          completedAt: null,
          signedCount: 1,
          signerCount: 2,
          signers: [
            { reference: "s_one", signed: true },
            { reference: null, signed: false },
          ],
        },
      ],
    });
  });

  test.each([
    [404, error("request_not_found"), { kind: "not_found" }],
    [404, error("no_such_address"), { kind: "unreadable" }],
    [404, "<html>", { kind: "unreadable" }],
    [200, JSON.stringify({ ...WIRE, id: "req_2" }), { kind: "unreadable" }],
    [200, JSON.stringify({ ...WIRE, version: "3" }), { kind: "unreadable" }],
    [200, "[]", { kind: "unreadable", detail: { cause: "response_unusable" } }],
    [401, error("invalid_credentials"), { kind: "unreadable", detail: { httpStatus: 401 } }],
    [429, error("rate_limited"), { kind: "declined" }],
    [503, "", { kind: "unreadable", detail: { cause: "platform_error" } }],
  ])("%i %s", async (status, body, expected) => {
    replies = [{ status, body }];
    expect(await provider().readRequest("req_1", patience)).toMatchObject(expected);
  });

  test("a status that we do not know is kept as a word, and only as a word", async () => {
    replies = ["paused", "pat@example.com"].map((status) => ({
      status: 200,
      body: JSON.stringify({ ...WIRE, status }),
    }));
    for (const rawStatus of ["paused", "unrecognised"]) {
      expect(await provider().readRequest("req_1", patience)).toMatchObject({
        matches: [{ status: "unrecognised", rawStatus }],
      });
    }
  });

  test("RC-3: a look-up compares the reference itself, letter by letter", async () => {
    const other = { ...WIRE, id: "req_2", client_reference: EXTEND.opId.toUpperCase() };
    replies = [{ status: 200, body: JSON.stringify({ requests: [other, WIRE] }) }];
    const found = await provider().findByReference(EXTEND.opId, patience);
    expect(found).toMatchObject({ kind: "read", matches: [{ platformRef: "req_1" }] });
    replies = [{ status: 200, body: JSON.stringify({ requests: [other] }) }];
    expect(await provider().findByReference(EXTEND.opId, patience)).toEqual({ kind: "not_found" });
  });

  test("PL-2: where there is no look-up, none is tried", async () => {
    expect(await provider("no_lookup").findByReference("op", patience)).toMatchObject({
      kind: "unreadable",
      detail: { cause: "not_supported" },
    });
    expect(received).toEqual([]);
  });
});

test("C-37: no outcome or observation holds anything of bodies, headers, addresses or the key", async () => {
  const leak = {
    status: 500,
    body: '{"message":"cannot deliver to pat.canary@example.com","signUrl":"https://sign.example/s/tok_CANARY_9f3c2a","error":{"code":"pat.canary@example.com"}}',
    headers: {
      location: "https://sign.example/s/tok_CANARY_9f3c2a",
      "x-request-id": "tok_CANARY_9f3c2a",
    },
  };
  const kept: unknown[] = [];
  for (const status of [200, 201, 400, 401, 404, 409, 412, 422, 429, 500]) {
    replies = Array.from({ length: 4 }, () => ({ ...leak, status }));
    const it = provider();
    kept.push(await it.send(aSendCall(), patience));
    kept.push(await it.remind({ ...EXTEND, subjectRefs: [], message: "" }, patience));
    kept.push(await it.readRequest("req_1", patience));
    kept.push(await it.findByReference("op", patience));
  }
  const text = JSON.stringify(kept);
  expect(text).not.toMatch(/canary|sign\.example|%40|Bearer/i);
  expect(text).not.toContain(Buffer.from("CANARY").toString("base64").slice(0, 7));
  expect(received[0]?.headers.authorization).toBe("Bearer CANARY_KEY_77");
});

describe("IN-4: an event that is understood", () => {
  const parse = (text: string | Uint8Array) => provider().parseEvent(Buffer.from(text));

  test("is reduced to a hint to look", () => {
    const event = {
      id: "evt_1",
      type: "request.sent",
      timestamp: "2027-03-01T12:00:00.000Z",
      data: { request_id: "req_1", client_reference: EXTEND.opId, status: "sent", extra: 1 },
    };
    expect(parse(JSON.stringify(event))).toEqual({
      eventId: "evt_1",
      type: "request.sent",
      account: null,
      platformRef: "req_1",
      clientReference: EXTEND.opId,
      status: "sent",
      occurredAt: "2027-03-01T12:00:00.000Z",
      times: ["2027-03-01T12:00:00.000Z"],
    });
  });

  test.each([
    ["", "nothing"],
    ["{", "broken JSON"],
    [
      '{"type":"request.sent","type":"request.voided","data":{"request_id":"req_1"}}',
      "a member twice",
    ],
    [
      '{"type":"request.sent","data":{"request_id":"req_1","request_id":"req_2"}}',
      "one twice inside",
    ],
    ['{"type":"invoice.paid","data":{"request_id":"req_1"}}', "another kind of thing"],
    ['{"type":"request.sent","data":{}}', "no request"],
    ['{"type":"request.sent","data":{"request_id":"../../x"}}', "a strange reference"],
  ])("%s is not understood: %s", (text) => {
    expect(parse(text)).toBeNull();
  });

  test("bytes that are no UTF-8 are not understood", () => {
    expect(parse(new Uint8Array([0x7b, 0xff, 0x7d]))).toBeNull();
  });
});

test("the registry knows the sandbox by name and refuses any other adapter", () => {
  const descriptor = descriptorOf(sandboxProfile("exact"));
  const connection = { adapter: "sandbox", baseUrl, apiKey: "k", descriptor };
  expect(providerFor(connection).descriptor).toBe(descriptor);
  expect(() => providerFor({ ...connection, adapter: "other" })).toThrow("No adapter");
});
