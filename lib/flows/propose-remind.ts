import type { RemindPayload } from "@/lib/domain/payload";
import { type Change, type ChangeWish, keepText, proposeChange } from "./change-proposal";
import { chosenSigners, refuseSome, samePeople } from "./chosen-signers";
import type { Actor, ConsoleContext } from "./context";
import { refusePlatformOwner, refuseTooSoon } from "./reminder-rules";
import type { Proposed } from "./settle-key";

export interface ReminderWish extends ChangeWish {
  /** Whom to remind; null reminds everybody who may still sign. */
  readonly subjectRefs?: readonly string[] | null;
  /** What signers read; it stands in the vault. */
  readonly message?: string | null;
}

/**
 * Proposes to remind signers (RM-1, RM-2), as every change is proposed. Throws Refusal, having changed nothing;
 * among them `reminder_owner_platform` and `reminder_too_soon`.
 */
export function proposeReminder(
  ctx: ConsoleContext,
  actor: Actor,
  wish: ReminderWish,
): Promise<Proposed> {
  return proposeChange(ctx, actor, wish, reminder(wish));
}

function reminder(wish: ReminderWish): Change<RemindPayload> {
  return {
    kind: "remind",
    payload: async (proposing) => {
      const { ctx, actor, tx, head, earlier, request } = proposing;
      if (earlier === null) refusePlatformOwner(request);
      const signers = await chosenSigners(proposing, wish.subjectRefs ?? null);
      const message = wish.message
        ? await keepText(ctx, actor, tx, wish.requestRef, wish.message)
        : null;
      return { ...head, kind: "remind", signers, message };
    },
    refuse: async (proposing, payload, policy) => {
      if (!proposing.descriptor.remindsSingleSigners) await refuseSome(proposing, payload);
      await refuseTooSoon(proposing, payload, policy);
    },
    // A planned reminder of another day is none of the same; one that comes too soon is skipped then.
    isSame: (open, asked, { proposedBy }) =>
      !proposedBy.startsWith("policy:") && samePeople(open, asked),
  };
}
