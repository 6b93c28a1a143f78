import type { ServerResponse } from "node:http";
import { z } from "zod";
import { SANDBOX_PROFILE_NAMES, SANDBOX_PROFILES } from "@/lib/providers/sandbox/profiles";
import { type Account, accountById, moveClock, putAccount } from "./accounts";
import type { Platform } from "./context";
import { listEffects, waitingFor } from "./effects";
import { addRule, FaultRuleInput, listRules, removeRules } from "./fault-rules";
import { FAULTS, faultNamed } from "./faults";
import { type Call, sendJson } from "./http";
import { mailsTo } from "./mails";
import { actAsPerson, PersonsDeed } from "./persons";
import { replyAboutReceiver } from "./receiver-control";
import { listRequests } from "./store";

const AccountBody = z.strictObject({
  api_key: z.string().regex(/^\S{1,200}$/),
  profile: z.enum(SANDBOX_PROFILE_NAMES),
  webhook_url: z.url().nullable().default(null),
  webhook_secret: z.string().nullable().default(null),
  clock_offset_ms: z.number().default(0),
  reminders_every_ms: z.number().positive().nullable().default(null),
});

const ClockBody = z.union([
  z.strictObject({ offset_ms: z.number() }),
  z.strictObject({ advance_ms: z.number() }),
]);

interface Reply {
  readonly status: number;
  readonly body?: unknown;
}

const NOT_FOUND: Reply = { status: 404, body: { error: { code: "not_found" } } };

/** The control API: whoever runs the demonstration or the test is everybody else at the platform. */
export async function handleControl(
  platform: Platform,
  call: Call,
  response: ServerResponse,
): Promise<void> {
  const reply = await replyTo(platform, call);
  if (reply.body === undefined) response.writeHead(reply.status).end();
  else sendJson(response, reply.status, reply.body);
}

async function replyTo(platform: Platform, call: Call): Promise<Reply> {
  const [, collection, accountId] = call.path;
  // A page in a browser has no business here; programs send no Origin.
  if (call.headers.origin !== undefined)
    return { status: 403, body: { error: { code: "origin" } } };
  if (collection === "profiles") return { status: 200, body: { profiles: SANDBOX_PROFILES } };
  if (collection === "faults") return { status: 200, body: { faults: describedFaults() } };
  if (collection === "mails") {
    return { status: 200, body: { mails: await mailsTo(platform.database, call.query.get("to")) } };
  }
  if (collection === "receivers") return replyAboutReceiver(platform, call);
  if (collection !== "accounts" || accountId === undefined) return NOT_FOUND;
  if (call.method === "PUT" && call.path.length === 3) return replace(platform, accountId, call);
  const account = await accountById(platform.database, accountId);
  if (!account) return NOT_FOUND;
  return replyAbout(platform, account, call);
}

function replyAbout(platform: Platform, account: Account, call: Call): Promise<Reply> | Reply {
  const [, , , part, id, action] = call.path;
  switch (`${call.method} ${part ?? ""}`) {
    case "GET ":
      return aboutAccount(platform, account);
    case "GET effects":
      return effectsOf(platform, account, call.query);
    case "GET requests":
      return requestsOf(platform, account, call);
    case "POST requests":
      return action === "changes" && id ? change(platform, account, id, call.body) : NOT_FOUND;
    case "POST clock":
      return clock(platform, account, call.body);
    case "GET faults":
      return rulesOf(platform, account);
    case "POST faults":
      return rule(platform, account, call.body);
    case "DELETE faults":
      return forget(platform, account, id ?? null);
    default:
      return NOT_FOUND;
  }
}

function describedFaults() {
  return Object.keys(FAULTS).map((name) => {
    const { about, operations, effect } = faultNamed(name as keyof typeof FAULTS);
    return { name, about, operations, effect };
  });
}

function presented(account: Account) {
  return {
    id: account.id,
    profile: account.profileName,
    webhook_url: account.webhookUrl,
    clock_offset_ms: account.clockOffsetMs,
    reminders_every_ms: account.remindersEveryMs,
  };
}

/** With what is still to come: when all three are 0, the account stays as it is until somebody calls. */
async function aboutAccount(platform: Platform, account: Account): Promise<Reply> {
  const pending = {
    calls_under_way: platform.underWay.get(account.id) ?? 0,
    ...(await waitingFor(platform.database, account.id)),
  };
  return { status: 200, body: { ...presented(account), pending } };
}

function invalid(error: z.ZodError): Reply {
  const issues = error.issues.map(({ path, message }) => ({ path, message }));
  return { status: 400, body: { error: { code: "invalid", issues } } };
}

async function replace(platform: Platform, id: string, call: Call): Promise<Reply> {
  const body = AccountBody.safeParse(call.body);
  if (!body.success) return invalid(body.error);
  await putAccount(platform.database, {
    id,
    apiKey: body.data.api_key,
    profileName: body.data.profile,
    webhookUrl: body.data.webhook_url,
    webhookSecret: body.data.webhook_secret,
    clockOffsetMs: body.data.clock_offset_ms,
    remindersEveryMs: body.data.reminders_every_ms,
  });
  const account = await accountById(platform.database, id);
  return account ? { status: 200, body: presented(account) } : NOT_FOUND;
}

async function effectsOf(
  platform: Platform,
  account: Account,
  query: URLSearchParams,
): Promise<Reply> {
  const effects = await listEffects(platform.database, account.id, {
    requestId: query.get("request_id"),
    clientReference: query.get("client_reference"),
    kind: query.get("kind"),
  });
  return { status: 200, body: { effects } };
}

/** The only place that gives out signing links. */
async function requestsOf(platform: Platform, account: Account, call: Call): Promise<Reply> {
  const requests = await listRequests(platform.database, account.id);
  const origin = `http://${call.headers.host ?? "127.0.0.1"}`;
  const body = requests.map((request) => ({
    id: request.id,
    client_reference: request.clientReference,
    status: request.status,
    expires_at: request.expiresAt,
    version: request.version,
    signers: request.signers.map(({ reference, status, token }) => ({
      reference,
      status,
      sign_url: `${origin}/sign/${token}`,
    })),
  }));
  return { status: 200, body: { requests: body } };
}

async function change(
  platform: Platform,
  account: Account,
  requestId: string,
  body: unknown,
): Promise<Reply> {
  const deed = PersonsDeed.safeParse(body);
  if (!deed.success) return invalid(deed.error);
  const result = await actAsPerson(platform, account, requestId, deed.data);
  if (!result.ok) {
    return { status: result.refusal.status, body: { error: { code: result.refusal.code } } };
  }
  const { id, status, expiresAt, version } = result.request;
  return { status: 200, body: { id, status, expires_at: expiresAt, version } };
}

async function clock(platform: Platform, account: Account, body: unknown): Promise<Reply> {
  const move = ClockBody.safeParse(body);
  if (!move.success) return invalid(move.error);
  await moveClock(
    platform.database,
    account.id,
    "offset_ms" in move.data
      ? { offsetMs: move.data.offset_ms }
      : { advanceMs: move.data.advance_ms },
  );
  const moved = await accountById(platform.database, account.id);
  return { status: 200, body: presented(moved ?? account) };
}

async function rulesOf(platform: Platform, account: Account): Promise<Reply> {
  return { status: 200, body: { rules: await listRules(platform.database, account.id) } };
}

async function rule(platform: Platform, account: Account, body: unknown): Promise<Reply> {
  const input = FaultRuleInput.safeParse(body);
  if (!input.success) return invalid(input.error);
  const { fault, parameters, force } = input.data;
  if (!force && faultNamed(fault).contradicts?.(account.profile, parameters)) {
    // Otherwise the account's descriptor would no longer be true.
    return { status: 409, body: { error: { code: "contradicts_profile" } } };
  }
  return { status: 201, body: await addRule(platform.database, account.id, input.data) };
}

async function forget(platform: Platform, account: Account, id: string | null): Promise<Reply> {
  if (id !== null && !/^\d{1,15}$/.test(id)) return NOT_FOUND;
  await removeRules(platform.database, account.id, id);
  return { status: 204 };
}
