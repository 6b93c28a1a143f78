import { invariant } from "@/lib/domain/invariant";
import {
  audienceOf,
  ESCALATION_WINDOW_MS,
  GATHER_MS,
  type NoticeWish,
  QUIET_AFTER_MS,
} from "@/lib/domain/notice";
import type { Tx } from "@/lib/store/db";
import { endQuietMatter, joinMatter } from "@/lib/store/notices";

const PATH = /^\/(?!\/)[A-Za-z0-9_/?=&.:,~%-]*$/;

/**
 * Tells somebody of a matter (OB-2), in the transaction that caused it; nothing is sent here. While the matter is open
 * for this audience, further calls only add to its count: one message, and the next one only after the matter was
 * quiet, or when nothing of it was open any more. An escalation is a message of its own, at any hour, and again after
 * the escalation window.
 */
export async function queueNotice(tx: Tx, tenantId: string, wish: NoticeWish): Promise<void> {
  const { matter, kind, escalation, subject } = wish;
  invariant(PATH.test(subject.path), "a notice leads to a path below the tenant");
  const audience = audienceOf(wish.audience);
  await endQuietMatter(tx, tenantId, {
    matter,
    audience,
    escalation,
    quietMs: QUIET_AFTER_MS,
    windowMs: ESCALATION_WINDOW_MS,
  });
  await joinMatter(tx, tenantId, {
    matter,
    audience,
    kind,
    escalation,
    reason: subject.reason ?? null,
    consequence: subject.consequence ?? null,
    count: subject.count,
    path: subject.path,
    losesAt: subject.losesAt ?? null,
    gatherMs: escalation ? 0 : GATHER_MS,
    follows: null,
  });
}
