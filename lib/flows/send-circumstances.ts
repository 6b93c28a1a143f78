import type { BusinessDeadline } from "@/lib/domain/business-deadline";
import { invariant } from "@/lib/domain/invariant";
import { parsePayload, type SendPayload } from "@/lib/domain/payload";
import type { Tx } from "@/lib/store/db";
import { presentPolicy } from "@/lib/store/policies";
import { type ProposalRow, versionsOf } from "@/lib/store/proposals";
import type { RequestRow } from "@/lib/store/requests";
import { keepText } from "./change-proposal";
import type { Actor, ConsoleContext } from "./context";
import type { SendWish } from "./propose-send";
import { proposedTimers } from "./proposed-timers";
import { replacesOf } from "./replaced-send";
import type { SendCircumstances } from "./send-payload";

interface Sending {
  readonly ctx: ConsoleContext;
  readonly actor: Actor;
  readonly tx: Tx;
  readonly wish: SendWish;
  readonly request: RequestRow;
  /** The operation that the same wish made before; null while it is new. */
  readonly existing: ProposalRow | null;
}

/**
 * What a send holds besides the wish: who reminds, its timers and what it replaces, by the policies and the read of
 * the moment. A repeat of the wish gets what was found the first time (AP-4).
 */
export async function circumstancesOf(
  sending: Sending,
  at: Date,
  deadline: BusinessDeadline,
): Promise<SendCircumstances> {
  const { actor, tx, wish } = sending;
  const { tenantId } = actor;
  const earlier = await earlierPayload(sending);
  const owner =
    wish.reminders.owner ?? earlier?.reminders.owner ?? (await policyOwner(tx, tenantId));
  const intervalDays = wish.reminders.intervalDays ?? null;
  const timers = earlier
    ? (earlier.timers ?? null)
    : await proposedTimers(tx, tenantId, { owner, intervalDays, at, deadline });
  return { owner, timers, replaces: await replaced(sending, earlier) };
}

async function replaced({ ctx, actor, tx, wish, request }: Sending, earlier: SendPayload | null) {
  if (!wish.replaces) return null;
  const reason = await keepText(ctx, actor, tx, request.ref, wish.replaces.reason);
  return replacesOf(tx, actor.tenantId, wish.replaces, reason, request, earlier);
}

async function policyOwner(tx: Tx, tenantId: string) {
  return (await presentPolicy(tx, tenantId, "remind")).policy.reminderOwner;
}

async function earlierPayload({ actor, tx, existing }: Sending): Promise<SendPayload | null> {
  if (existing === null) return null;
  const [first] = await versionsOf(tx, actor.tenantId, existing.opId);
  invariant(first, "every operation keeps its first version");
  const payload = parsePayload(first.canonicalText);
  invariant(payload.kind === "send", "the key of a send names a send");
  return payload;
}
