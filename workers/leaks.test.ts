import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Log } from "@/lib/flows/context";
import type { Received } from "@/lib/flows/delivery";
import { proposeExtension } from "@/lib/flows/propose-extension";
import { proposeSend } from "@/lib/flows/propose-send";
import { receiveEvent } from "@/lib/flows/receive-event";
import { createSandboxProvider } from "@/lib/providers/sandbox/client";
import { createLog, describeError } from "@/lib/runtime/log";
import { sealApiKey } from "@/lib/store/connection-secrets";
import { letters } from "@/lib/testing/tenants";
import { startWorker, untilState, type WorkerProcess } from "@/lib/testing/worker-process";
import {
  approveNow,
  aRealRequest,
  inDays,
  openWorkshop,
  type ShopTenant,
  WEBHOOK_SECRET,
  type Workshop,
  wishOf,
} from "@/lib/testing/workshop";

/** What no record, log line or answer may hold (C-37). They travel as contact, text, credential and platform error. */
const CANARIES = [
  "pat.canary@example.com",
  "Pat CANARY Person",
  "CANARY_TITLE_of_a_contract",
  "CANARY_MESSAGE_to_the_signer",
  "CANARY_REASON_of_a_person",
  "CANARY_KEY_77",
  "tok_CANARY_9f3c2a",
  "https://sign.example/s/tok_CANARY_9f3c2a",
];

/** The canary as text, in an address, in hexadecimal, and in base64 at each of its three places. */
function formsOf(canary: string): string[] {
  const shifted = [0, 1, 2].map((before) => {
    const padded = Buffer.from("~".repeat(before) + canary).toString("base64");
    // The first and the last group depend on what stands around it.
    return padded.slice(before === 0 ? 0 : 4, -4);
  });
  return [
    canary.toLowerCase(),
    encodeURIComponent(canary).toLowerCase(),
    Buffer.from(canary).toString("hex"),
    ...shifted.map((form) => form.toLowerCase()),
  ];
}

const FORMS = ["canary", ...CANARIES.flatMap(formsOf)];

/** The forms that a text holds; the text itself is not repeated. */
function leaksIn(text: string): string[] {
  const lower = text.toLowerCase();
  return FORMS.filter((form) => lower.includes(form));
}

/** Every row of every table as one text per table. */
async function tablesOf(url: string): Promise<Map<string, string>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT quote_ident(table_name) AS name FROM information_schema.tables
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    const texts = new Map<string, string>();
    for (const { name } of rows) {
      const table = await client.query<{ text: string | null }>(
        `SELECT string_agg(t::text, E'\\n') AS text FROM ${name} t`,
      );
      texts.set(name, table.rows[0]?.text ?? "");
    }
    return texts;
  } finally {
    await client.end();
  }
}

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.close());

/** A tenant whose credential at the platform is a canary. */
async function aCanaryTenant(): Promise<ShopTenant> {
  const tenant = await shop.tenant("exact", { callTimeoutMs: 4_000, leaseMs: 15_000 });
  const { tenantId, connectionId, account } = tenant;
  const { id, descriptor } = account;
  const apiKey = `CANARY_KEY_77-${randomUUID()}`;
  await shop.sandbox.control.putAccount(id, { apiKey, profile: "exact" });
  await shop.ledger.owner.connection.update({
    where: { tenantId_id: { tenantId, id: connectionId } },
    data: { apiKeySealed: sealApiKey(shop.ledger.ctx.vaultKey, tenantId, connectionId, apiKey) },
  });
  const provider = createSandboxProvider({ baseUrl: shop.sandbox.url, apiKey, descriptor });
  return { ...tenant, account: { ...account, apiKey, provider } };
}

async function aCanarySend(tenant: ShopTenant): Promise<string> {
  const { opId } = await proposeSend(shop.ledger.ctx, tenant.proposer, {
    approvalId: randomUUID(),
    requestRef: `req_${letters()}`,
    connectionId: tenant.connectionId,
    documents: [{ digest: "d".repeat(64), version: 1 }],
    signers: [
      { name: "Pat CANARY Person", email: "pat.canary@example.com", role: "signer", order: 1 },
    ],
    title: "CANARY_TITLE_of_a_contract",
    message: "CANARY_MESSAGE_to_the_signer",
    ...wishOf(inDays(10)),
    reminders: { owner: "application", intervalDays: null },
  });
  await approveNow(shop, tenant, opId, null);
  return opId;
}

async function aCanaryExtension(tenant: ShopTenant): Promise<string> {
  const request = await aRealRequest(shop, tenant, inDays(3));
  const { opId } = await proposeExtension(shop.ledger.ctx, tenant.proposer, {
    approvalId: randomUUID(),
    requestRef: request.ref,
    ...wishOf(inDays(10)),
    reason: "CANARY_REASON_of_a_person",
    supersedesOpId: null,
  });
  await approveNow(shop, tenant, opId, request.receiptId);
  return opId;
}

/** Deliveries that hold canaries where they have no place: understood, not understood, and not authentic. */
async function deliverCanaries(tenant: ShopTenant, log: Log): Promise<Received[]> {
  const at = new Date();
  const data = {
    request_id: "req_unknown_1",
    client_reference: null,
    status: "sent",
    sign_url: "https://sign.example/s/tok_CANARY_9f3c2a",
    signers: [{ name: "Pat CANARY Person", email: "pat.canary@example.com" }],
  };
  const bodies = [
    { id: "evt_1", type: "request.sent", timestamp: at.toISOString(), data },
    { id: "evt_2", type: "pat.canary@example.com", timestamp: "tok_CANARY_9f3c2a", data },
  ];
  const received: Received[] = [];
  for (const [place, secret] of [WEBHOOK_SECRET, WEBHOOK_SECRET, OTHER_SECRET].entries()) {
    const raw = JSON.stringify(bodies[place % 2]);
    const headers = {
      "webhook-id": `msg_CANARY_${place}`,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign(`msg_CANARY_${place}`, at, raw),
    };
    const { connectionId } = tenant;
    const delivery = { connectionId, raw: Buffer.from(raw), headers };
    received.push(await receiveEvent({ ...shop.ledger.ctx, log }, delivery));
  }
  return received;
}

/** What Prometheus would read of the worker now. */
async function metricsOf({ lines }: WorkerProcess): Promise<string> {
  const ready = lines.find((line) => line.includes("worker_ready")) ?? "{}";
  const { port } = JSON.parse(ready) as { port?: number };
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(answer.status).toBe(200);
  return answer.text();
}

const OTHER_SECRET = `whsec_${Buffer.from("another-signing-key-entirely").toString("base64")}`;

test("C-37: the search finds a canary as text, in an address, in hexadecimal and in base64 at every place", () => {
  for (const canary of CANARIES) {
    const encodings = [
      canary,
      encodeURIComponent(canary),
      Buffer.from(canary).toString("hex"),
      ...["", "a", "ab"].map((before) => Buffer.from(`${before}${canary}zz`).toString("base64")),
    ];
    for (const text of encodings)
      expect([text, leaksIn(`x${text}y`).length > 0]).toEqual([text, true]);
  }
  expect(leaksIn("nothing of the kind")).toEqual([]);
});

test("PV-4 ID-5 C-37: personal data, texts, credentials and signing links of errors and webhooks are in no row and no log line", async () => {
  const tenant = await aCanaryTenant();
  const { control } = shop.sandbox;
  // A leaking error on each change, and at the end a refused credential.
  await control.addFault(tenant.account.id, { fault: "undeliverable", operation: "send" });
  const worker = await startWorker(shop, "leaks");
  const sent = await aCanarySend(tenant);
  await untilState(shop, tenant, sent, "done", 60_000);
  await control.addFault(tenant.account.id, { fault: "undeliverable", operation: "extend" });
  const extendedOp = await aCanaryExtension(tenant);
  await untilState(shop, tenant, extendedOp, "done", 60_000);
  await control.addFault(tenant.account.id, { fault: "unauthorized", operation: "send" });
  const refused = await aCanarySend(tenant);
  await untilState(shop, tenant, refused, "needs_review", 60_000);
  const metrics = await metricsOf(worker);
  await worker.child.stop();
  const lines = [...worker.lines];
  const log = createLog("debug", { write: (line: string) => void lines.push(line) });
  const deliveries = await deliverCanaries(tenant, log);
  expect(deliveries).toEqual(["unmatched", "quarantined", "refused"]);

  // The platform really had them, and the worker really met its errors.
  const platform = await tablesOf(shop.sandbox.databaseUrl);
  const held = [...platform.values()].join("\n");
  for (const canary of CANARIES.slice(0, 4)) expect(held).toContain(canary);
  const events = await shop.ledger.owner.operationEvent.findMany({ where: { opId: sent } });
  expect(events.map((event) => event.reason)).toContain("platform_error");

  const tables = await tablesOf(shop.ledger.url);
  expect(tables.get("read_receipts")).not.toBe("");
  expect(tables.get("vault_entries")).not.toBe("");
  const leaking = [...tables].map(([name, text]) => [name, leaksIn(text)] as const);
  expect(leaking.filter(([, forms]) => forms.length > 0)).toEqual([]);
  expect(lines.length).toBeGreaterThan(worker.lines.length);
  expect(leaksIn(lines.join("\n"))).toEqual([]);
  expect(metrics).toContain('deadline_ledger_unknown_total{kind="send",reason="platform_error"} 1');
  expect(metrics).toContain('deadline_ledger_review_items_by_reason{reason="credentials_refused"}');
  expect(leaksIn(metrics)).toEqual([]);
  // A person is in no label, and neither is a request or an operation.
  for (const id of [sent, tenant.slug, tenant.proposer.id]) expect(metrics).not.toContain(id);
  expect(metrics).not.toContain("req_");
});

test("PV-4 C-37: an error that carries a request and its credential leaves nothing of them in the log", () => {
  const lines: string[] = [];
  const log = createLog("debug", { write: (line: string) => void lines.push(line) });
  const error = Object.assign(new Error("cannot deliver to pat.canary@example.com"), {
    config: { headers: { authorization: "Bearer CANARY_KEY_77" } },
    response: { headers: { location: "https://sign.example/s/tok_CANARY_9f3c2a" } },
    cause: new Error("https://sign.example/s/tok_CANARY_9f3c2a"),
    code: "CANARY KEY 77",
  });
  const entry = { event: "pass_failed", error: describeError(error), payload: error, err: error };

  log.error(entry);

  expect(lines).toHaveLength(1);
  expect(leaksIn(lines.join("\n"))).toEqual([]);
});
