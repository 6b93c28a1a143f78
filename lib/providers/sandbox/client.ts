import type { CapabilityDescriptor } from "@/lib/domain/capability";
import type { CallOutcome, Observation } from "@/lib/domain/observation";
import { type Exchange, exchange } from "@/lib/providers/http";
import type { CallOptions, ExtendCall, Provider, SendCall, TargetCall } from "@/lib/providers/port";
import { verifyStandardWebhook } from "@/lib/providers/webhook-signature";
import { parseSandboxEvent } from "./event";
import { wholeDaysUntil } from "./expiry";
import { observationOfFind, observationOfRead } from "./observe";
import { outcomeOf } from "./outcome";
import { detailOf, WireRequest } from "./wire";

export interface SandboxConnection {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly descriptor: CapabilityDescriptor;
  /** Epoch milliseconds; the machine's clock when left out. */
  readonly now?: () => number;
}

/** What distinguishes one consequential call from another on the wire. */
interface Change {
  readonly path: string;
  readonly body: object;
  readonly opId: string;
  readonly ifVersion: string | null;
  readonly timeoutMs: number;
}

/** The adapter for the sandbox platform (PL-1). It translates and decides nothing; it never throws. */
export function createSandboxProvider(connection: SandboxConnection): Provider {
  const { descriptor } = connection;
  const now = connection.now ?? Date.now;
  const read = (path: string, timeoutMs: number) => get(connection, path, timeoutMs);
  const change = async (
    action: string,
    call: TargetCall,
    body: object,
    options: CallOptions,
  ): Promise<CallOutcome> => {
    const path = `/v1/requests/${encodeURIComponent(call.platformRef)}/${action}`;
    const { opId, ifVersion } = call;
    return outcomeOf(
      await post(connection, { path, body, opId, ifVersion, timeoutMs: options.timeoutMs }),
      "change",
    );
  };
  return {
    descriptor,
    readRequest: async (platformRef, { timeoutMs }) =>
      observationOfRead(
        await read(`/v1/requests/${encodeURIComponent(platformRef)}`, timeoutMs),
        platformRef,
      ),
    findByReference: (opId, options) => find(connection, opId, options),
    send: (call, options) => send(connection, call, options, now()),
    extend: (call, options) => extend(connection, call, options),
    resend: (call, options) => change("resend", call, {}, options),
    remind: (call, options) => {
      const { subjectRefs: signers, message } = call;
      return change("remind", call, message === "" ? { signers } : { signers, message }, options);
    },
    expire: (call, options) => change("expire", call, {}, options),
    void: (call, options) =>
      change("void", call, call.reason === null ? {} : { reason: call.reason }, options),
    verifyWebhook: (raw, headers, secrets) => verifyStandardWebhook(raw, headers, secrets, now()),
    parseEvent: parseSandboxEvent,
  };
}

async function find(
  connection: SandboxConnection,
  opId: string,
  { timeoutMs }: CallOptions,
): Promise<Observation> {
  if (connection.descriptor.lookupByReference.kind === "none") {
    const detail = { httpStatus: null, platformCode: null, platformRequestId: null };
    return { kind: "unreadable", detail: { cause: "not_supported", ...detail } };
  }
  const path = `/v1/requests?client_reference=${encodeURIComponent(opId)}`;
  return observationOfFind(await get(connection, path, timeoutMs), opId);
}

async function send(
  connection: SandboxConnection,
  call: SendCall,
  { timeoutMs }: CallOptions,
  nowMs: number,
): Promise<CallOutcome> {
  const expiry =
    connection.descriptor.expiryForm.kind === "absolute"
      ? { expires_at: call.expiresAt }
      : { expires_in_days: wholeDaysUntil(call.expiresAt, nowMs) };
  const body = {
    client_reference: call.opId,
    document_digest: call.documentDigest,
    template_id: call.templateId,
    template_version: call.templateVersion,
    title: call.title,
    message: call.message,
    reminders: call.remindersByPlatform,
    signers: call.signers.map(({ subjectRef, role, order, name, email }) => ({
      reference: subjectRef,
      role,
      order,
      name,
      email,
    })),
    ...expiry,
  };
  const { opId } = call;
  const path = "/v1/requests";
  return outcomeOf(
    await post(connection, { path, body, opId, ifVersion: null, timeoutMs }),
    "send",
  );
}

/**
 * Where the platform counts in days after sending, the instant of sending has to be read first; read and
 * change share one bound, and without the read nothing is sent (TM-3).
 */
async function extend(
  connection: SandboxConnection,
  call: ExtendCall,
  { timeoutMs }: CallOptions,
): Promise<CallOutcome> {
  const target = `/v1/requests/${encodeURIComponent(call.platformRef)}`;
  const change = { path: `${target}/extend`, opId: call.opId, ifVersion: call.ifVersion };
  if (connection.descriptor.expiryForm.kind === "absolute") {
    const body = { expires_at: call.expiresAt };
    return outcomeOf(await post(connection, { ...change, body, timeoutMs }), "change");
  }
  const startedAt = performance.now();
  const before = await get(connection, target, timeoutMs);
  const request = WireRequest.safeParse(before.kind === "answer" ? before.body : null);
  const leftMs = Math.floor(timeoutMs - (performance.now() - startedAt));
  if (!request.success || leftMs <= 0) {
    return { kind: "unknown", detail: detailOf(before, "response_unusable") };
  }
  const body = {
    expires_in_days: wholeDaysUntil(call.expiresAt, Date.parse(request.data.sent_at)),
  };
  return outcomeOf(await post(connection, { ...change, body, timeoutMs: leftMs }), "change");
}

function get(connection: SandboxConnection, path: string, timeoutMs: number): Promise<Exchange> {
  return exchange({
    method: "GET",
    url: new URL(path, connection.baseUrl).href,
    headers: { authorization: `Bearer ${connection.apiKey}` },
    timeoutMs,
  });
}

/** Keys and conditions travel only where the descriptor says that the platform heeds them (PL-2, PL-5). */
function post(connection: SandboxConnection, change: Change): Promise<Exchange> {
  const { idempotencyKey, conditionalUpdate } = connection.descriptor;
  return exchange({
    method: "POST",
    url: new URL(change.path, connection.baseUrl).href,
    headers: {
      authorization: `Bearer ${connection.apiKey}`,
      ...(idempotencyKey.kind === "header" ? { "idempotency-key": change.opId } : {}),
      ...(conditionalUpdate === "version" && change.ifVersion !== null
        ? { "if-match": `"${change.ifVersion}"` }
        : {}),
    },
    body: change.body,
    timeoutMs: change.timeoutMs,
  });
}
