import type { DeadlineWish } from "@/lib/domain/business-deadline";
import type { ExtendPayload } from "@/lib/domain/payload";
import { type Change, type ChangeWish, proposeChange } from "./change-proposal";
import { chosenDeadline } from "./chosen-deadline";
import type { Actor, ConsoleContext } from "./context";
import { extensionPayload } from "./extension-payload";
import { refuseShortening } from "./extension-rules";
import { timersOfExtension } from "./proposed-timers";
import type { Proposed } from "./settle-key";

export interface ExtensionWish extends DeadlineWish, ChangeWish {}

/**
 * Proposes a new absolute deadline for a request (TM-2, TM-3), as every change is proposed. Throws Refusal, having
 * changed nothing.
 */
export function proposeExtension(
  ctx: ConsoleContext,
  actor: Actor,
  wish: ExtensionWish,
): Promise<Proposed> {
  return proposeChange(ctx, actor, wish, extension(wish));
}

function extension(wish: ExtensionWish): Change<ExtendPayload> {
  return {
    kind: "extend",
    payload: async ({ actor, tx, request, head, descriptor, at, earlier }) => {
      const deadline = chosenDeadline(wish, at);
      const timers = earlier
        ? (earlier.timers ?? null)
        : await timersOfExtension(tx, actor.tenantId, request, at, deadline);
      return extensionPayload(head, deadline, descriptor, timers);
    },
    refuse: async ({ request }, { target }) => refuseShortening(request, target.business_deadline),
    isSame: (open, asked) => open.target.expires_at === asked.target.expires_at,
  };
}
