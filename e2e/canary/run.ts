import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import { system } from "@/e2e/system";
import { OUTBOX_TYPES } from "@/lib/domain/outbox";
import type { Canary } from "@/lib/testing/canaries";
import { demoId } from "@/prisma/demo/people";
import { SandboxControl } from "@/sandbox/control-client";
import { PLANTED } from "./planted";
import { type Asker, heard, type Said, type Sql } from "./said";

export interface Cast {
  readonly proposer: Asker;
  readonly approver: Asker;
  readonly onCall: Asker;
  readonly officer: Asker;
  readonly admin: Asker;
}

const API = "/api/v1/t/north";
const CONNECTION = demoId("connection north");
const REASON = "The counterparty asked for it.";
const DAY_MS = 86_400_000;

/** Ends of an operation, and where it waits for a person. */
const AT_REST = [
  "done",
  "obsolete",
  "superseded",
  "failed_terminal",
  "needs_review",
  "quarantined",
];

const dateIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const deadline = (days: number) => ({ date: dateIn(days), time: "17:00", zone: "Europe/Berlin" });

/** Every kind of operation with canaries in all its texts, through the API and to its end. */
export async function runOperations(cast: Cast, sql: Sql): Promise<void> {
  const refs = [aRef(), aRef(), aRef()] as const;
  const sends: string[] = [];
  for (const ref of refs) sends.push(await proposed(cast, "/sends", sendOf(ref)));
  for (const opId of sends) await approved(cast, opId);
  await atRest(sql, sends);
  const [first, second, third] = refs;
  const change = () => ({ approvalId: randomUUID(), reason: REASON });
  // The platform answers the call with an address and a signing link in an error.
  const platform = new SandboxControl(system().sandboxUrl);
  await platform.addFault("north", { fault: "undeliverable", operation: "extend" });
  const changes = [
    await proposed(cast, `/requests/${first}/extensions`, { ...change(), ...deadline(35) }),
    await proposed(cast, `/requests/${second}/voids`, change()),
    await proposed(cast, `/requests/${third}/expiries`, { ...change(), when: "now" }),
  ];
  for (const opId of changes) await approved(cast, opId);
  await atRest(sql, changes);
  // Signers were contacted a moment ago: whether these are taken or refused, the texts went in.
  await cast.proposer.post(`${API}/requests/${first}/reminders`, {
    ...change(),
    message: PLANTED.message,
  });
  await cast.proposer.post(`${API}/requests/${first}/resends`, change());
  await platform.removeFaults("north");
}

function aRef(): string {
  return `req_${randomUUID()
    .replace(/[^a-f]/g, "")
    .slice(0, 4)}${Date.now().toString(36)}`;
}

function sendOf(requestRef: string) {
  return {
    approvalId: randomUUID(),
    requestRef,
    connectionId: CONNECTION,
    documents: [{ digest: "d".repeat(64), version: 1 }],
    signers: [
      { name: PLANTED.signer, email: PLANTED.address, role: "tenant", order: 1 },
      { name: PLANTED.other, email: PLANTED.otherAddress, role: "landlord", order: 2 },
    ],
    title: PLANTED.title,
    message: PLANTED.message,
    ...deadline(30),
    reminders: { owner: "application", intervalDays: null },
  };
}

async function proposed({ proposer }: Cast, path: string, body: object): Promise<string> {
  const { status, json } = await proposer.post(`${API}${path}`, body);
  expect([path, status, json.code]).toEqual([path, expect.any(Number), undefined]);
  return String(json.opId);
}

async function approved({ approver }: Cast, opId: string): Promise<void> {
  const shown = await approver.get(`${API}/approvals/${opId}`);
  expect(shown.status).toBe(200);
  const { version, hash, request } = shown.json as unknown as Shown;
  const { status, json } = await approver.post(`${API}/operations/${opId}/approvals`, {
    version,
    hash,
    receiptId: request.receiptId,
  });
  expect([status, json.code]).toEqual([200, undefined]);
}

interface Shown {
  readonly version: number;
  readonly hash: string;
  readonly request: { readonly receiptId: string | null };
}

async function atRest(sql: Sql, opIds: readonly string[]): Promise<void> {
  await expect
    .poll(
      async () => {
        const [row] = await sql<{ count: number }>(
          "SELECT count(*)::int FROM operations WHERE op_id = ANY($1) AND state = ANY($2)",
          [opIds, AT_REST],
        );
        return row?.count;
      },
      { timeout: 60_000 },
    )
    .toBe(opIds.length);
}

/** Deliveries that are signed and not, understood and not, with canaries in all that a sender can fill. Returns their secret. */
export async function runDeliveries({ admin }: Cast, said: Said[], sql: Sql): Promise<Canary> {
  const connection = `${API}/connections/${CONNECTION}`;
  const { json } = await admin.get(connection);
  const { secrets } = json.connection as { secrets: { keyId: string }[] };
  const made = await admin.post(`${connection}/secrets`, {
    shownKeyIds: secrets.map(({ keyId }) => keyId),
    overlapHours: 1,
  });
  expect(made.status).toBe(201);
  const secret = String(made.json.secret);
  const id = `evt_${PLANTED.address}`;
  const event = { id, type: `request.${PLANTED.other}`, data: personal() };
  const bodies = [
    JSON.stringify({ ...event, timestamp: new Date().toISOString() }),
    JSON.stringify({ ...event, type: "request.viewed", timestamp: PLANTED.phone }),
    `{"name": "${PLANTED.signer}", ${PLANTED.link}`,
    PLANTED.message,
  ];
  for (const [place, body] of bodies.entries()) {
    await deliver(said, `evt_${randomUUID().slice(0, 8)}_${place}`, body, secret);
    await deliver(said, id, body, secret);
    await deliver(said, id, body, `whsec_${Buffer.from(PLANTED.signer).toString("base64")}`);
  }
  const taken = await sql<{ id: string }>(
    "SELECT id FROM inbox_events WHERE connection_id = $1 AND applied_at IS NULL",
    [CONNECTION],
  );
  expect(taken.length).toBeGreaterThan(0);
  await admin.post(`${connection}/secret-ends`, { keyId: made.json.keyId });
  return { name: "secret of deliveries", value: secret };
}

const personal = () => ({
  request_id: PLANTED.address,
  client_reference: PLANTED.otherAddress,
  status: PLANTED.title,
  signer: { name: PLANTED.signer, phone: PLANTED.phone, sign_url: PLANTED.link },
});

async function deliver(said: Said[], id: string, body: string, secret: string): Promise<void> {
  const at = new Date();
  const path = `/api/webhooks/${CONNECTION}`;
  await heard(said, `POST ${path}`, path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign(id, at, body),
    },
    body,
  });
}

/** Somebody who is told of everything, by event and by both kinds of notice. Returns the secrets shown for it. */
export async function runTold({ admin, onCall }: Cast): Promise<readonly Canary[]> {
  const secrets: Canary[] = [];
  const control = new SandboxControl(system().sandboxUrl);
  const name = `told-${randomUUID().slice(0, 8)}`;
  const at = (receiver: string) => `${system().sandboxUrl}/receiver/${receiver}`;
  const told = await admin.post(`${API}/outbox/subscribers`, {
    name,
    url: at(name),
    eventTypes: OUTBOX_TYPES,
  });
  expect(told.status).toBe(201);
  await control.putReceiver(name, { secrets: [String(told.json.secret)] });
  secrets.push({ name: "secret of a subscriber", value: String(told.json.secret) });
  await onCall.post(`${API}/outbox/subscribers/${told.json.id}/tests`, {});
  for (const kind of ["chat", "webhook"]) {
    const receiver = `${kind}-${PLANTED.hookSecret}`;
    await control.putReceiver(receiver, { secrets: [] });
    const made = await admin.post(`${API}/notice-endpoints`, {
      name: `${name}-${kind}`,
      kind,
      url: at(receiver),
      teams: [],
    });
    expect(made.status).toBe(201);
    await admin.post(`${API}/notice-endpoints/${made.json.id}/tests`, {});
    if (kind === "chat") continue;
    secrets.push({ name: "secret of a webhook", value: String(made.json.secret) });
  }
  return secrets;
}

/** Requests that the API turns down, with canaries where they do not belong. */
export async function runErrors({ proposer, officer }: Cast, said: Said[]): Promise<void> {
  const wrong = encodeURIComponent(PLANTED.address);
  const send = sendOf(PLANTED.address);
  await proposer.post(`${API}/sends`, send);
  await proposer.post(`${API}/sends`, { ...send, requestRef: aRef(), [PLANTED.address]: 1 });
  await proposer.post(`${API}/sends`, `{"title": "${PLANTED.title}", ${PLANTED.link}`);
  await proposer.post(`${API}/sends`, { ...sendOf(aRef()), connectionId: PLANTED.signer });
  await proposer.post(`${API}/sends`, sendOf(aRef()), { "idempotency-key": PLANTED.address });
  await proposer.post(`${API}/sends`, sendOf(aRef()), { "idempotency-key": PLANTED.address });
  await proposer.post(`${API}/requests/${wrong}/voids`, { approvalId: wrong, reason: REASON });
  await proposer.post(`${API}/operations/${randomUUID()}/withdrawals`, {
    reason: `Ring ${PLANTED.phone}, ${PLANTED.address}`,
  });
  await officer.post(`${API}/sends`, send);
  await heard(said, "POST /api/v1/sends by nobody", `${API}/sends`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${PLANTED.hookSecret}`,
      origin: "https://zephyrpost.invalid",
    },
    body: JSON.stringify(send),
  });
}
