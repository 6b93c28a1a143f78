import type { Account } from "./accounts";
import { clockOf, type Platform } from "./context";
import { inTransaction, type Transaction } from "./database";
import { expireRequest, isOpen, type SandboxRequest, type Transition } from "./request";
import { type EffectSource, lockRequest, requestsAsOf, type Selection, saveChange } from "./store";
import { enqueueEvents } from "./webhook-queue";

const NOT_FOUND = { status: 404, code: "request_not_found" } as const;

export interface ChangeOfExisting {
  readonly account: Account;
  readonly requestId: string;
  readonly source: EffectSource;
  readonly transition: (request: SandboxRequest) => Transition;
}

/**
 * Changes one request under its row lock. If the request should have expired by the account's clock, it first
 * does so; that stays even when the change itself is then refused.
 */
export async function changeRequest(
  platform: Platform,
  tx: Transaction,
  change: ChangeOfExisting,
): Promise<Transition> {
  const { account } = change;
  const locked = await lockRequest(tx, account.id, change.requestId);
  if (!locked) return { ok: false, refusal: NOT_FOUND };
  const current = await expiredIfDue(platform, tx, account, locked);
  const result = change.transition(current);
  if (result.ok && result.effects.length > 0) {
    await saveTransition(platform, tx, { account, source: change.source, result });
  }
  return result;
}

/** Stores a new version with its effects and events. `hiddenMs`: how long a look-up will not find it. */
export async function saveTransition(
  platform: Platform,
  tx: Transaction,
  saved: {
    readonly account: Account;
    readonly source: EffectSource;
    readonly result: Transition & { ok: true };
    readonly hiddenMs?: number;
  },
): Promise<void> {
  const { account } = saved;
  const result = dated(saved.result, new Date(clockOf(platform, account)).toISOString());
  const changedAtMs = platform.now();
  await saveChange(tx, {
    account,
    request: result.request,
    effects: result.effects,
    source: saved.source,
    changedAtMs,
    lookupVisibleAtMs: changedAtMs + (saved.hiddenMs ?? 0),
  });
  await enqueueEvents(platform, tx, account, result.request, result.effects);
}

function dated(result: Transition & { ok: true }, at: string): Transition & { ok: true } {
  if (!result.effects.some(({ kind }) => kind === "completed")) return result;
  return { ...result, request: { ...result.request, completedAt: at } };
}

async function expiredIfDue(
  platform: Platform,
  tx: Transaction,
  account: Account,
  request: SandboxRequest,
): Promise<SandboxRequest> {
  if (!isDue(platform, account, request)) return request;
  const result = expireRequest(request);
  if (!result.ok) return request;
  await saveTransition(platform, tx, { account, source: "clock", result });
  return result.request;
}

function isDue(platform: Platform, account: Account, request: SandboxRequest): boolean {
  return isOpen(request) && Date.parse(request.expiresAt) <= clockOf(platform, account);
}

/** Lets one request expire if its time has come. */
export async function expireDue(
  platform: Platform,
  account: Account,
  requestId: string,
): Promise<void> {
  await inTransaction(platform.database, (tx) =>
    changeRequest(platform, tx, {
      account,
      requestId,
      source: "clock",
      transition: (request) => ({ ok: true, request, effects: [] }),
    }),
  );
}

/** What a read of the account shows: by its profile perhaps a picture that is a little old (V of RC-8). */
export async function readRequests(
  platform: Platform,
  account: Account,
  selection: Selection,
): Promise<SandboxRequest[]> {
  const look = () =>
    requestsAsOf(
      platform.database,
      account.id,
      selection,
      platform.now() - account.profile.readLagMs,
    );
  const shown = await look();
  const due = shown.filter((request) => isDue(platform, account, request));
  if (due.length === 0) return shown;
  for (const request of due) await expireDue(platform, account, request.id);
  return look();
}
