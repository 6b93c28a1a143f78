import { NOTICE_LEASE_MS, NOTICE_TIMEOUT_MS, pauseAfterNoticeTry } from "@/lib/domain/notice";
import { noticeChat, noticeEvent, noticeMail } from "@/lib/domain/notice-message";
import type { NoticeFacts } from "@/lib/domain/notice-text";
import { quietUntil } from "@/lib/domain/quiet-hours";
import { chatCall, webhookCall } from "@/lib/providers/notice-hook";
import { asTenant } from "@/lib/store/db";
import {
  type ClaimedNotice,
  claimNotices,
  postponeNotice,
  reportNotice,
} from "@/lib/store/notice-deliveries";
import { noteEndpoint } from "@/lib/store/notice-endpoints";
import { openNoticeSecret } from "@/lib/store/notice-secrets";
import { settleNoticeReview } from "@/lib/store/unreached-notices";
import type { NoticeWays } from "./notice-ways";
import type { WorkerContext } from "./worker-context";

/** Claims at most `limit` deliveries that are due. Nothing is sent yet. */
export function claimDueNotices(context: WorkerContext, limit: number): Promise<ClaimedNotice[]> {
  return claimNotices(context.owner, context.worker.id, limit, NOTICE_LEASE_MS);
}

interface NoticeAnswer {
  readonly outcome: string;
  readonly status: number | null;
  readonly retryAfterMs?: number | null;
}

/** The way does not exist any more: the person left or switched it off, the endpoint was stopped. */
const WAY_CLOSED: NoticeAnswer = { outcome: "way_closed", status: null };

/**
 * Makes the one attempt of a claimed delivery and writes what came of it (OB-2): no transaction is open while it is
 * under way. A worker that dies in between leaves a lease that ends, after which the same message goes out again under
 * the same Message-ID or webhook-id. Quiet hours put an ordinary notice off and never an escalation.
 */
export async function dispatchNotice(
  context: WorkerContext,
  ways: NoticeWays,
  claimed: ClaimedNotice,
): Promise<void> {
  const held = { id: claimed.id, workerId: context.worker.id, attempt: claimed.attempt };
  const quietEnds = quietEndOf(claimed);
  if (quietEnds !== null) {
    return asTenant(context.db, claimed.tenantId, (tx) =>
      postponeNotice(tx, claimed.tenantId, held, quietEnds),
    );
  }
  const answer = await attempt(context.vaultKey, ways, claimed);
  const next = nextOf(claimed, answer, context.chance());
  const { outcome, status } = answer;
  const took = await asTenant(context.db, claimed.tenantId, async (tx) => {
    const { tenantId, endpointId, noticeId } = claimed;
    const kept = await reportNotice(tx, tenantId, { ...held, outcome, status, ...next });
    if (!kept) return false;
    if (endpointId !== null) await noteEndpoint(tx, tenantId, endpointId, { outcome, status });
    if (next.to === "delivered") await settleNoticeReview(tx, tenantId, noticeId);
    return true;
  });
  context.log.info({
    event: took ? "notice" : "notice_fenced",
    tenant: claimed.tenantId,
    worker: context.worker.name,
    kind: claimed.channel,
    state: next.to,
    reason: outcome,
    ...(status === null ? {} : { status }),
  });
}

function quietEndOf(claimed: ClaimedNotice): string | null {
  const { kind, escalation, zone, quietFrom, quietUntil: until, now } = claimed;
  if (escalation || kind === "test" || zone === null) return null;
  const quiet = quietFrom === null || until === null ? null : { from: quietFrom, until };
  return quietUntil(now.toISOString(), zone, quiet);
}

function attempt(
  vaultKey: Buffer,
  ways: NoticeWays,
  claimed: ClaimedNotice,
): Promise<NoticeAnswer> {
  const facts = factsOf(ways.consoleUrl, claimed);
  if (claimed.accountId !== null && (claimed.login === null || !claimed.wanted)) {
    return Promise.resolve(WAY_CLOSED);
  }
  switch (claimed.channel) {
    case "mail":
      return byMail(vaultKey, ways, claimed, facts);
    case "chat":
      return byChat(vaultKey, ways, claimed, facts);
    case "webhook":
      return byWebhook(vaultKey, ways, claimed, facts);
  }
}

function factsOf(consoleUrl: string, claimed: ClaimedNotice): NoticeFacts {
  const { kind, escalation, reason, consequence, count, audience } = claimed;
  return {
    kind,
    escalation,
    reason,
    consequence,
    count,
    audience,
    losesAt: claimed.losesAt?.toISOString() ?? null,
    openedAt: claimed.openedAt.toISOString(),
    url: `${consoleUrl}/t/${claimed.tenantSlug}${claimed.path}`,
  };
}

async function byMail(
  vaultKey: Buffer,
  { mail, consoleUrl }: NoticeWays,
  { id, accountId, login, zone, mailToSealed }: ClaimedNotice,
  facts: NoticeFacts,
): Promise<NoticeAnswer> {
  if (mail === null || accountId === null) return WAY_CLOSED;
  const place = { of: "mail" as const, accountId };
  const to = mailToSealed === null ? login : openNoticeSecret(vaultKey, place, mailToSealed);
  return mail.send({
    ...noticeMail(facts, zone ?? "UTC", `${consoleUrl}/me`),
    to: to ?? "",
    messageId: mail.messageId(id),
    timeoutMs: NOTICE_TIMEOUT_MS,
  });
}

async function byChat(
  vaultKey: Buffer,
  { deliver }: NoticeWays,
  claimed: ClaimedNotice,
  facts: NoticeFacts,
): Promise<NoticeAnswer> {
  const { tenantId, accountId, endpointId, chatUrlSealed, urlSealed } = claimed;
  const sealed = accountId === null ? urlSealed : chatUrlSealed;
  if (sealed === null) return WAY_CLOSED;
  const place =
    accountId === null
      ? ({ of: "endpoint", tenantId, endpointId: endpointId ?? "" } as const)
      : ({ of: "chat", accountId } as const);
  const url = openNoticeSecret(vaultKey, place, sealed);
  return deliver(chatCall(url, noticeChat(facts), NOTICE_TIMEOUT_MS));
}

async function byWebhook(
  vaultKey: Buffer,
  { deliver }: NoticeWays,
  claimed: ClaimedNotice,
  facts: NoticeFacts,
): Promise<NoticeAnswer> {
  const { id, tenantId, endpointId, urlSealed, secretId, secretSealed, signedAt } = claimed;
  if (endpointId === null || urlSealed === null || secretId === null || secretSealed === null) {
    return WAY_CLOSED;
  }
  const url = openNoticeSecret(vaultKey, { of: "endpoint", tenantId, endpointId }, urlSealed);
  const place = { of: "signing", tenantId, endpointId, secretId } as const;
  const secret = openNoticeSecret(vaultKey, place, secretSealed);
  const message = { id, body: noticeEvent(facts), secret, signedAt };
  return deliver(webhookCall(url, message, NOTICE_TIMEOUT_MS));
}

/** Answers after which the same message would meet the same answer. */
const FOR_GOOD = new Set(["refused", "gone", "target_refused"]);

function nextOf(
  { tries }: ClaimedNotice,
  { outcome, retryAfterMs }: NoticeAnswer,
  chance: number,
): {
  readonly to: "delivered" | "retrying" | "refused" | "dead" | "dropped";
  readonly nextInMs: number;
} {
  if (outcome === "delivered") return { to: "delivered", nextInMs: 0 };
  if (outcome === "way_closed") return { to: "dropped", nextInMs: 0 };
  if (FOR_GOOD.has(outcome)) return { to: "refused", nextInMs: 0 };
  const pause = pauseAfterNoticeTry(tries, chance, retryAfterMs ?? null);
  return pause === null ? { to: "dead", nextInMs: 0 } : { to: "retrying", nextInMs: pause };
}
