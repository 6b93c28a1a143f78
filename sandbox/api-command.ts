import { ExtendBody, PlainBody, RemindBody, SendBody, VoidBody } from "./api-input";
import type { Command } from "./commands";
import { newId } from "./context";
import type { ExpiryInput } from "./expiry";
import type { Call } from "./http";

/** What a call of the API asks for, or null where there is no such thing to ask. */
export type Asked =
  | { readonly operation: "read"; readonly requestId: string }
  | { readonly operation: "find"; readonly reference: string }
  | {
      readonly operation: Command["operation"];
      /** Null: the body is not what the platform takes. */
      readonly command: Command | null;
    };

const ACTIONS = ["extend", "remind", "resend", "expire", "void"] as const;

type Action = (typeof ACTIONS)[number];

/** Reads method, path and body of a call under `/v1`. Null for an unknown address. */
export function askedBy(call: Call): Asked | null {
  const [, collection, requestId, action, ...rest] = call.path;
  if (collection !== "requests" || rest.length > 0) return null;
  if (call.method === "GET") return askedToRead(call, requestId, action);
  if (call.method !== "POST") return null;
  if (requestId === undefined) return { operation: "send", command: sendCommand(call) };
  const known = ACTIONS.find((it) => it === action);
  return known ? { operation: known, command: changeCommand(call, requestId, known) } : null;
}

function askedToRead(call: Call, requestId?: string, action?: string): Asked | null {
  if (action !== undefined) return null;
  if (requestId !== undefined) return { operation: "read", requestId };
  const reference = call.query.get("client_reference");
  return reference === null ? null : { operation: "find", reference };
}

function conditionsOf(call: Call) {
  const key = call.headers["idempotency-key"];
  const version = /^"?(\d{1,9})"?$/.exec(call.headers["if-match"] ?? "")?.[1];
  return {
    idempotencyKey: typeof key === "string" && key.length <= 200 ? key : null,
    ifMatch: version === undefined ? null : Number(version),
  };
}

function expiryOf(body: {
  expires_at?: string | undefined;
  expires_in_days?: number | undefined;
}): ExpiryInput {
  return { expiresAt: body.expires_at ?? null, days: body.expires_in_days ?? null };
}

function sendCommand(call: Call): Command | null {
  const parsed = SendBody.safeParse(call.body);
  if (!parsed.success) return null;
  const body = parsed.data;
  return {
    operation: "send",
    requestId: newId("req"),
    ...conditionsOf(call),
    input: {
      clientReference: body.client_reference ?? null,
      documentDigest: body.document_digest,
      templateId: body.template_id ?? null,
      templateVersion: body.template_version ?? null,
      title: body.title,
      message: body.message,
      reminders: body.reminders,
      signers: body.signers,
    },
    expiry: expiryOf(body),
  };
}

function changeCommand(call: Call, requestId: string, action: Action): Command | null {
  const shared = { requestId, ...conditionsOf(call) };
  switch (action) {
    case "extend": {
      const body = ExtendBody.safeParse(call.body);
      return body.success ? { ...shared, operation: action, expiry: expiryOf(body.data) } : null;
    }
    case "remind": {
      const body = RemindBody.safeParse(call.body);
      return body.success ? { ...shared, operation: action, signers: body.data.signers } : null;
    }
    case "void": {
      const body = VoidBody.safeParse(call.body);
      return body.success
        ? { ...shared, operation: action, reason: body.data.reason ?? null }
        : null;
    }
    case "resend":
    case "expire":
      return PlainBody.safeParse(call.body).success ? { ...shared, operation: action } : null;
  }
}
