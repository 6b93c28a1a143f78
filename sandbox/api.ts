import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { type Account, accountByKey, moveClock } from "./accounts";
import { type Answer, refusal } from "./answer";
import { type Asked, askedBy } from "./api-command";
import { type Command, perform } from "./commands";
import type { Platform } from "./context";
import { newId } from "./context";
import { planFor } from "./fault-rules";
import type { Ending, FaultPlan, PersonsChange } from "./faults";
import { type Call, reset, sendJson, sendTruncated } from "./http";
import { actAsPerson, foreignExpiry } from "./persons";
import { readRequests } from "./platform";
import { presentRequest } from "./present";
import { acceptForLater } from "./queue";

/** The e-signature API under `/v1`, with whatever fault rule strikes the call. */
export async function handleApi(
  platform: Platform,
  call: Call,
  response: ServerResponse,
): Promise<void> {
  const account = await accountOf(platform, call);
  if (!account) return answerWith(response, refusal(401, "invalid_credentials"));
  const asked = askedBy(call);
  if (!asked) return answerWith(response, refusal(404, "no_such_address"));
  const underWay = (difference: number) =>
    platform.underWay.set(account.id, (platform.underWay.get(account.id) ?? 0) + difference);
  underWay(1);
  try {
    await handleAsked(platform, account, asked, call, response);
  } finally {
    underWay(-1);
  }
}

async function handleAsked(
  platform: Platform,
  account: Account,
  asked: Asked,
  call: Call,
  response: ServerResponse,
): Promise<void> {
  const plan = await planFor(platform.database, account, asked.operation);

  const struck = await before(platform, account, asked, plan);
  if (plan.before?.end) return end(response, plan.before.end, refusal(503, "unavailable"));
  const answer = await answerTo(platform, struck, asked, call, plan);
  await pause(platform, plan.after?.delayMs);
  if (plan.after?.end) return end(response, plan.after.end, answer);
  answerWith(response, answer);
}

async function accountOf(platform: Platform, call: Call): Promise<Account | null> {
  const key = /^Bearer (\S{1,200})$/.exec(call.headers.authorization ?? "")?.[1];
  return key === undefined ? null : accountByKey(platform.database, key);
}

/** Everything that happens to a call on its way in. Returns the account as it is afterwards. */
async function before(
  platform: Platform,
  account: Account,
  asked: Asked,
  plan: FaultPlan,
): Promise<Account> {
  const { delayMs, change, clockOffsetMs } = plan.before ?? {};
  await pause(platform, delayMs);
  if (change) await changeByPerson(platform, account, asked, change);
  if (clockOffsetMs === undefined) return account;
  await moveClock(platform.database, account.id, { offsetMs: clockOffsetMs });
  return { ...account, clockOffsetMs };
}

async function changeByPerson(
  platform: Platform,
  account: Account,
  asked: Asked,
  change: PersonsChange,
): Promise<void> {
  const requestId = "command" in asked ? asked.command?.requestId : undefined;
  if (requestId === undefined) return;
  const [request] = await readRequests(platform, account, { id: requestId });
  if (!request) return;
  const deed = {
    completed: { change: "complete" },
    voided: { change: "void" },
    expiry_changed: { change: "set_expiry", expires_at: foreignExpiry(request) },
  } as const;
  await actAsPerson(platform, account, requestId, deed[change]);
}

async function answerTo(
  platform: Platform,
  account: Account,
  asked: Asked,
  call: Call,
  plan: FaultPlan,
): Promise<Answer> {
  if (asked.operation === "read") return answerRead(platform, account, asked.requestId);
  if (asked.operation === "find") return answerFind(platform, account, asked.reference);
  if (!asked.command) return refusal(400, "invalid_payload");
  return answerCommand(platform, account, asked.command, call, plan.effect ?? {});
}

function answerCommand(
  platform: Platform,
  account: Account,
  command: Command,
  call: Call,
  effect: NonNullable<FaultPlan["effect"]>,
): Promise<Answer> | Answer {
  if (effect.pretend) return { status: 200, body: { id: command.requestId, status: "accepted" } };
  const queueMs = effect.queueMs ?? account.profile.queueMs;
  return queueMs > 0
    ? acceptForLater(platform, account, command, call.receivedAtMs, queueMs)
    : perform(platform, account, command, call.receivedAtMs, effect);
}

async function answerRead(
  platform: Platform,
  account: Account,
  requestId: string,
): Promise<Answer> {
  const [request] = await readRequests(platform, account, { id: requestId });
  if (!request) return refusal(404, "request_not_found");
  return { status: 200, body: presentRequest(request, account.profile) };
}

async function answerFind(
  platform: Platform,
  account: Account,
  reference: string,
): Promise<Answer> {
  if (account.profile.lookup === "none") return refusal(501, "lookup_not_supported");
  const visibleByMs = platform.now();
  const found = await readRequests(platform, account, { reference, visibleByMs });
  return {
    status: 200,
    body: { requests: found.map((request) => presentRequest(request, account.profile)) },
  };
}

/** Waits, unless the platform stops first: then the call is lost like any call to a dead platform. */
async function pause(platform: Platform, ms: number | undefined): Promise<void> {
  if (ms) await delay(ms, undefined, { signal: platform.stopping });
}

function answerWith(response: ServerResponse, { status, body }: Answer): void {
  sendJson(response, status, body, { "x-request-id": newId("evt").replace("evt_", "") });
}

function end(response: ServerResponse, ending: Ending, answer: Answer): void {
  if (ending.kind === "reset") {
    reset(response);
  } else if (ending.kind === "truncated") {
    sendTruncated(response, answer.status, answer.body);
  } else if (ending.body === undefined) {
    const { body } = refusal(ending.status, ending.code ?? "failed");
    sendJson(response, ending.status, body, ending.headers);
  } else {
    response.writeHead(ending.status, { "content-type": "application/json", ...ending.headers });
    response.end(ending.body);
  }
}
