import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Bounds, DEFAULT_BOUNDS } from "@/lib/domain/bounds";
import { FINAL_STATES, HUMAN_STATES, type OperationKind, PRIORITY } from "@/lib/domain/operation";
import { type Payload, type PayloadOf, parsePayload, writePayload } from "@/lib/domain/payload";
import { claimDueLooks, claimDueWork } from "@/lib/flows/claim-work";
import { executeClaim } from "@/lib/flows/execute";
import type { Hand } from "@/lib/flows/hand";
import { reconcileClaim } from "@/lib/flows/reconcile";
import { sweep } from "@/lib/flows/sweep";
import type { WorkerContext } from "@/lib/flows/worker-context";
import type { SandboxProfileName } from "@/lib/providers/sandbox/profiles";
import { sealApiKey } from "@/lib/store/connection-secrets";
import type { CallOperation, FaultName } from "@/sandbox/faults";
import { createHands } from "@/workers/hands";
import { waitUntil } from "./processes";
import { aSendCall, type TestAccount } from "./sandbox";
import { anApprovedSend } from "./sends";
import { aRequest, letters } from "./tenants";
import {
  anApprovedExtension,
  inDays,
  operationOf,
  type ShopTenant,
  type Workshop,
} from "./workshop";

export const CELL_KINDS = [
  "send",
  "extend",
  "expire",
  "void",
  "remind",
  "resend",
] as const satisfies readonly OperationKind[];

/** One operation of one kind that meets one fault, once, on a platform of one profile. */
export interface Cell {
  readonly profile: SandboxProfileName;
  readonly kind: (typeof CELL_KINDS)[number];
  readonly fault: FaultName;
  /** The call that the fault strikes: the change itself, or the read before it. */
  readonly strikes: CallOperation;
  readonly callTimeoutMs: number;
  /** True: the worker gives the change itself up early, while its reads keep their time. */
  readonly impatient: boolean;
  readonly delayMs: number | null;
}

export interface CellEnd {
  readonly opId: string;
  readonly state: string;
  readonly reason: string;
  readonly attempts: number;
  /** What the platform did for this operation, by its own log. */
  readonly effects: number;
}

/** A place at the platform where the cells of one lane and one profile happen, one after the other. */
interface Place {
  readonly connectionId: string;
  readonly account: TestAccount;
}

/**
 * A tenant in which cells run one after the other, so that no tenant has many connections. It has one approved send
 * and one approved extension, of which the cells' payloads are made.
 */
export interface Lane {
  readonly tenant: ShopTenant;
  readonly send: Awaited<ReturnType<typeof operationOf>>;
  readonly extend: Awaited<ReturnType<typeof operationOf>>;
  readonly places: Map<string, Place>;
}

/** Makes a lane. Its models name a request that no platform has: on a busy machine that is quick all the same. */
export async function aLane(shop: Workshop): Promise<Lane> {
  const tenant = await shop.tenant("exact", { callTimeoutMs: 5_000, leaseMs: 20_000 });
  const request = await aRequest(shop.ledger.owner, tenant, inDays(3));
  const extend = await anApprovedExtension(shop, tenant, request, inDays(10));
  const send = await anApprovedSend(shop, tenant, inDays(10));
  return {
    tenant,
    send: await operationOf(shop, tenant, send.opId),
    extend: await operationOf(shop, tenant, extend),
    places: new Map(),
  };
}

const IMPATIENT = "impatient-";
const IMPATIENT_MS = 500;

/** The worker's adapters, with those of impatient cells giving up their changes early. */
export function withImpatience(worker: WorkerContext): WorkerContext {
  return {
    ...worker,
    providerOf: (connection) => {
      const provider = worker.providerOf(connection);
      if (!connection.name.startsWith(IMPATIENT)) return provider;
      const early = { timeoutMs: IMPATIENT_MS };
      return {
        ...provider,
        send: (call) => provider.send(call, early),
        extend: (call) => provider.extend(call, early),
        expire: (call) => provider.expire(call, early),
        void: (call) => provider.void(call, early),
        remind: (call) => provider.remind(call, early),
        resend: (call) => provider.resend(call, early),
      };
    },
  };
}

/** Few looks with longer pauses: enough to outlast every quiet time, and cheap for a thousand operations. */
export const CELL_BOUNDS: Bounds = {
  ...DEFAULT_BOUNDS,
  lookBackoffMs: 300,
  lookBackoffMaxMs: 1_000,
  looksMax: 8,
};

/**
 * True when the machine was too slow for the cell: the platform dropped a call that reached it later than D, or a
 * call ran into its time-out although nothing was to delay it.
 */
export async function wasDisturbed(shop: Workshop, cell: Cell, opId: string): Promise<boolean> {
  const events = await shop.ledger.owner.operationEvent.findMany({
    where: { opId },
    select: { body: true },
  });
  const history = events.map((event) => event.body).join();
  const timedOut = !cell.impatient && history.includes('"cause":"timeout"');
  return timedOut || history.includes("too_late");
}

/** Sets the cell up at the platform and in the ledger; the operation is due at once. */
export async function prepareCell(
  shop: Workshop,
  lane: Lane,
  cell: Cell,
): Promise<{ opId: string; accountId: string; requestId: string | null }> {
  const { connectionId, account } = await placeOf(shop, lane, cell);
  const ref = `req_${letters()}`;
  const existing = cell.kind === "send" ? null : await sentBefore(lane, account);
  await shop.sandbox.control.removeFaults(account.id);
  await shop.sandbox.control.addFault(account.id, {
    fault: cell.fault,
    operation: cell.strikes,
    occurs: { kind: "first", times: 1 },
    parameters: cell.delayMs === null ? {} : { delayMs: cell.delayMs },
  });
  const opId = await schedule(shop, lane, cell, { connectionId, ref, existing });
  return { opId, accountId: account.id, requestId: existing?.platformRef ?? null };
}

/** Faults that leave more behind than what they did to the one call. */
const LASTING: readonly FaultName[] = ["clock_skewed", "unauthorized", "forbidden"];

/** The lane's place for cells like this one; a lasting fault has one to itself. */
async function placeOf(shop: Workshop, lane: Lane, cell: Cell): Promise<Place> {
  const key = `${cell.profile} ${cell.callTimeoutMs} ${cell.impatient}`;
  const known = lane.places.get(key);
  if (known && !LASTING.includes(cell.fault)) return known;
  const place = await newPlace(shop, lane, cell);
  if (!LASTING.includes(cell.fault)) lane.places.set(key, place);
  return place;
}

async function newPlace(shop: Workshop, lane: Lane, cell: Cell): Promise<Place> {
  const { tenantId } = lane.tenant;
  const account = await shop.sandbox.account(cell.profile);
  const connectionId = randomUUID();
  await shop.ledger.owner.connection.create({
    data: {
      tenantId,
      id: connectionId,
      name: `${cell.impatient ? IMPATIENT : "c-"}${connectionId.slice(0, 18)}`,
      adapter: "sandbox",
      baseUrl: shop.sandbox.url,
      environment: "sandbox",
      apiKeySealed: sealApiKey(shop.ledger.ctx.vaultKey, tenantId, connectionId, account.apiKey),
      webhookSecretsSealed: "none",
      descriptor: JSON.stringify(account.descriptor),
      callTimeoutMs: cell.callTimeoutMs,
      leaseMs: 45_000,
      owner: "team:admins",
    },
  });
  return { connectionId, account };
}

interface Existing {
  readonly platformRef: string;
  readonly expiresAt: string;
}

/**
 * A request that exists and is shown at the platform, with the signer of the lane's send. It is sent again where a
 * busy machine lets the platform drop the call: only the cell's own call is what the matrix is about.
 */
async function sentBefore(lane: Lane, { provider }: TestAccount): Promise<Existing> {
  const options = { timeoutMs: 10_000 };
  const signers = modelOf(lane, "send").signers.map((signer) => ({
    subjectRef: signer.subject_ref,
    role: signer.role,
    order: signer.order,
    name: "Pat Example",
    email: "pat@sign.invalid",
  }));
  const seen = async (platformRef: string) => {
    const read = await provider.readRequest(platformRef, options);
    return read.kind === "read" ? read.matches[0] : undefined;
  };
  return waitUntil(
    async () => {
      const sent = await provider.send(aSendCall({ expiresAt: inDays(3), signers }), options);
      const platformRef = sent.kind === "accepted" ? sent.platformRef : null;
      if (platformRef === null) return null;
      // A platform that lags or queues shows it a little later; one that dropped it never does.
      const shown = await waitUntil(() => seen(platformRef), {
        timeoutMs: 3_000,
        everyMs: 150,
        what: "the platform shows the request",
      }).catch(() => undefined);
      return shown?.expiresAt ? { platformRef, expiresAt: shown.expiresAt } : null;
    },
    { timeoutMs: 180_000, what: "the platform has a request" },
  );
}

/** The request and its approved operation in one statement: round trips are what a thousand cells are made of. */
async function schedule(
  shop: Workshop,
  lane: Lane,
  cell: Cell,
  at: { connectionId: string; ref: string; existing: Existing | null },
): Promise<string> {
  const { tenantId, approver } = lane.tenant;
  const model = lane[cell.kind === "send" ? "send" : "extend"];
  const opId = randomUUID();
  const { text, hash } = writePayload(payloadOf(lane, cell.kind, at));
  await shop.ledger.owner.$executeRaw`
    WITH asked AS (
      INSERT INTO requests (tenant_id, ref, connection_id, platform_ref)
      VALUES (${tenantId}::uuid, ${at.ref}, ${at.connectionId}::uuid, ${at.existing?.platformRef ?? null})
    ), made AS (
      INSERT INTO operations (tenant_id, op_id, op_key, kind, request_ref, connection_id, state, reason, canonical_text,
        payload_hash, approval_id, policy_version, proposed_by, approved_at, due_at, priority, event_actor, event_evidence)
      VALUES (${tenantId}::uuid, ${opId}::uuid, ${`${at.ref}/${cell.kind}/${opId}`}, ${cell.kind}, ${at.ref},
        ${at.connectionId}::uuid, 'scheduled', 'approved', ${text}, ${hash}, gen_random_uuid(), ${model.policyVersion},
        ${model.proposedBy}, ledger_now(), ledger_now(), ${PRIORITY[cell.kind]}, ${`user:${approver.id}`}, '{}')
    )
    INSERT INTO approvals (tenant_id, op_id, account_id, decision, version, payload_hash)
    VALUES (${tenantId}::uuid, ${opId}::uuid, ${approver.id}::uuid, 'approve', 1, ${hash})`;
  return opId;
}

/** A payload of the cell's kind, made of the lane's models with the cell's own request in it. */
function payloadOf(
  lane: Lane,
  kind: Cell["kind"],
  at: { connectionId: string; ref: string; existing: Existing | null },
): Payload {
  const place = { request_ref: at.ref, connection_id: at.connectionId };
  const send = modelOf(lane, "send");
  if (kind === "send") return { ...send, ...place };
  if (!at.existing) throw new Error("a change is of something that exists");
  const extend = modelOf(lane, "extend");
  const change = {
    ...place,
    schema: extend.schema,
    supersedes_op_id: null,
    reason_digest: extend.reason_digest,
    platform_ref: at.existing.platformRef,
    expected: { ...extend.expected, expires_at: at.existing.expiresAt },
  };
  switch (kind) {
    case "extend":
      return { ...extend, ...change };
    case "expire":
      return { ...change, kind, business_deadline: null };
    case "void":
      return { ...change, kind, shown_reason: send.title };
    case "remind":
      return { ...change, kind, signers: send.signers, message: null };
    case "resend":
      return { ...change, kind, signers: send.signers, moves_expiry_to: null };
  }
}

function modelOf<Kind extends "send" | "extend">(lane: Lane, kind: Kind): PayloadOf<Kind> {
  const payload = parsePayload(lane[kind].canonicalText);
  if (payload.kind !== kind) throw new Error("a model is of its own kind");
  return payload as PayloadOf<Kind>;
}

const SLOTS = 40;
const REST_MS = 300;
/** A claim looks at every tenant with due work: one for several cells costs less than one for each. */
const BETWEEN_MS = 160;
/** Every so many idle rounds a worker also ends what ran out. */
const SWEEP_EVERY = 5;

/** Lets a worker claim, execute and look until `signal`; every pass that throws is handed to `onError`. */
export async function keepWorking(
  worker: WorkerContext,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  const hands = createHands(SLOTS);
  const begin = (claimed: Hand[], pass: (hand: Hand) => Promise<void>) => {
    for (const hand of claimed) hands.take(() => pass(hand).catch(onError));
    return claimed.length;
  };
  for (let round = 0; !signal.aborted; round += 1) {
    if (hands.free() === 0) await hands.oneDone();
    const looks = await claimDueLooks(worker, hands.free());
    const began = begin(looks, (hand) => reconcileClaim(worker, hand));
    const work = hands.free() > 0 ? await claimDueWork(worker, hands.free()) : [];
    if (round % SWEEP_EVERY === 0) await sweep(worker);
    const all = began + begin(work, (hand) => executeClaim(worker, hand));
    await pause(all === 0 ? REST_MS : BETWEEN_MS);
  }
  await hands.allDone();
}

type EndedRow = Pick<CellEnd, "opId" | "state" | "reason" | "attempts">;

const ENDS = [...FINAL_STATES, ...HUMAN_STATES];

/**
 * Tells when operations have ended, with one statement for all that are waited for: a question per cell would cost
 * more than the cells. Stops at `signal`, and leaves what is still waited for unanswered.
 */
export function watchEnds(
  shop: Workshop,
  signal: AbortSignal,
): (opId: string) => Promise<EndedRow> {
  const waiting = new Map<string, (row: EndedRow) => void>();
  const ask = async () => {
    while (!signal.aborted) {
      const rows = await shop.ledger.owner.operation.findMany({
        where: { opId: { in: [...waiting.keys()] }, state: { in: ENDS } },
        select: { opId: true, state: true, reason: true, attempts: true },
      });
      for (const row of rows) {
        waiting.get(row.opId)?.(row);
        waiting.delete(row.opId);
      }
      await pause(REST_MS);
    }
  };
  const asking = ask();
  return (opId) =>
    new Promise((resolve, reject) => {
      waiting.set(opId, resolve);
      asking.catch(reject);
      setTimeout(reject, END_WITHIN_MS, new Error("it has not ended")).unref();
    });
}

const END_WITHIN_MS = 300_000;
