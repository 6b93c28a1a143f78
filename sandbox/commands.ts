import type { Account } from "./accounts";
import { type Answer, refusal } from "./answer";
import { clockOf, type Platform } from "./context";
import { inTransaction, type Transaction } from "./database";
import { type ExpiryInput, expiryInstant } from "./expiry";
import type { FaultPlan } from "./faults";
import { answerKept, keepAnswer } from "./idempotency";
import { changeRequest, saveTransition } from "./platform";
import { presentRequest } from "./present";
import {
  expireRequest,
  extendRequest,
  remindRequest,
  resendRequest,
  type SandboxRequest,
  type SendInput,
  sendRequest,
  type Transition,
  voidRequest,
} from "./request";

/** What a caller of the API asks for. */
export type Command = {
  /** For a send: the reference that the new request will have. */
  readonly requestId: string;
  readonly ifMatch: number | null;
  readonly idempotencyKey: string | null;
} & (
  | {
      readonly operation: "send";
      readonly input: Omit<SendInput, "expiresAt">;
      readonly expiry: ExpiryInput;
    }
  | { readonly operation: "extend"; readonly expiry: ExpiryInput }
  | { readonly operation: "remind"; readonly signers: readonly string[] }
  | { readonly operation: "void"; readonly reason: string | null }
  | { readonly operation: "resend" | "expire" }
);

/** The platform's own choice where it ignores what it was told (C-24). */
const DEFAULT_EXPIRY_DAYS = 120;

const DAY_MS = 86_400_000;

/** Carries a command out in one transaction of its own. */
export function perform(
  platform: Platform,
  account: Account,
  command: Command,
  receivedAtMs: number,
  effect: NonNullable<FaultPlan["effect"]> = {},
): Promise<Answer> {
  return inTransaction(platform.database, (tx) =>
    performIn(platform, tx, account, command, receivedAtMs, effect),
  );
}

/** The same inside the caller's transaction. Refuses a call that has travelled longer than D of the profile. */
export async function performIn(
  platform: Platform,
  tx: Transaction,
  account: Account,
  command: Command,
  receivedAtMs: number,
  effect: NonNullable<FaultPlan["effect"]> = {},
): Promise<Answer> {
  const key = effect.ignoreKey ? null : command.idempotencyKey;
  const kept = await answerKept(platform, tx, account, key);
  if (kept) return kept;
  const result = await transitionOf(platform, tx, account, command, receivedAtMs, effect);
  if (!result.ok) return refusal(result.refusal.status, result.refusal.code);
  const answer = {
    status: command.operation === "send" ? 201 : 200,
    body: presentRequest(result.request, account.profile),
  };
  await keepAnswer(platform, tx, account, key, answer);
  return answer;
}

async function transitionOf(
  platform: Platform,
  tx: Transaction,
  account: Account,
  command: Command,
  receivedAtMs: number,
  effect: NonNullable<FaultPlan["effect"]>,
): Promise<Transition> {
  const inTime = () => platform.now() - receivedAtMs <= account.profile.times.processingMs;
  const tooLate: Transition = { ok: false, refusal: { status: 503, code: "too_late" } };
  const expiry = (input: ExpiryInput) => (effect.ignoreExpiry ? "default" : input);
  if (command.operation === "send") {
    if (!inTime()) return tooLate;
    const result = sent(platform, account, command, expiry(command.expiry));
    const hiddenMs = effect.lookupHiddenMs ?? account.profile.lookupLagMs;
    if (result.ok) {
      await saveTransition(platform, tx, { account, source: "api", result, hiddenMs });
    }
    return result;
  }
  return changeRequest(platform, tx, {
    account,
    requestId: command.requestId,
    source: "api",
    transition: (request) => {
      // Only here, with the row locked, is it certain that nothing more has to be waited for.
      if (!inTime()) return tooLate;
      if (versionDiffers(account, command, request)) {
        return { ok: false, refusal: { status: 412, code: "version_changed" } };
      }
      return changed(platform, account, command, request, expiry);
    },
  });
}

function versionDiffers(account: Account, command: Command, request: SandboxRequest): boolean {
  const { conditionalUpdate } = account.profile;
  if (conditionalUpdate === "none" || command.ifMatch === null) return false;
  return command.ifMatch !== request.version;
}

function sent(
  platform: Platform,
  account: Account,
  command: Command & { operation: "send" },
  wanted: ExpiryInput | "default",
): Transition {
  const nowMs = clockOf(platform, account);
  const expiry = instantOf(wanted, account, nowMs, nowMs);
  if ("refusal" in expiry) return { ok: false, refusal: expiry.refusal };
  const input = { ...command.input, expiresAt: expiry.expiresAt };
  return sendRequest(command.requestId, input, new Date(nowMs).toISOString());
}

function changed(
  platform: Platform,
  account: Account,
  command: Exclude<Command, { operation: "send" }>,
  request: SandboxRequest,
  wanted: (input: ExpiryInput) => ExpiryInput | "default",
): Transition {
  const nowMs = clockOf(platform, account);
  switch (command.operation) {
    case "extend": {
      const expiry = instantOf(wanted(command.expiry), account, Date.parse(request.sentAt), nowMs);
      if ("refusal" in expiry) return { ok: false, refusal: expiry.refusal };
      return extendRequest(request, expiry.expiresAt, account.profile.expiredIs);
    }
    case "remind":
      return remindRequest(request, command.signers, new Date(nowMs).toISOString());
    case "resend":
      return resendRequest(
        request,
        new Date(nowMs).toISOString(),
        account.profile.resendMovesExpiry,
      );
    case "expire":
      return expireRequest(request);
    case "void":
      return voidRequest(request, command.reason);
  }
}

function instantOf(
  wanted: ExpiryInput | "default",
  account: Account,
  sentAtMs: number,
  nowMs: number,
) {
  if (wanted !== "default") return expiryInstant(wanted, account.profile, sentAtMs, nowMs);
  return { expiresAt: new Date(nowMs + DEFAULT_EXPIRY_DAYS * DAY_MS).toISOString() };
}
