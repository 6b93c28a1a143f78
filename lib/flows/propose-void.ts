import type { VoidPayload } from "@/lib/domain/payload";
import { type Change, type ChangeWish, proposeChange } from "./change-proposal";
import type { Actor, ConsoleContext } from "./context";
import type { Proposed } from "./settle-key";

/**
 * Proposes to withdraw a request at its platform, as every change is proposed. Where the platform shows signers a
 * reason, they see the proposer's. Throws Refusal, having changed nothing.
 */
export function proposeVoid(
  ctx: ConsoleContext,
  actor: Actor,
  wish: ChangeWish,
): Promise<Proposed> {
  return proposeChange(ctx, actor, wish, VOID);
}

const VOID: Change<VoidPayload> = {
  kind: "void",
  payload: async ({ head, descriptor, reason, earlier }) => {
    const shown = earlier === null ? descriptor.voidShowsReason : earlier.shown_reason !== null;
    const { ref, digest } = reason;
    return { ...head, kind: "void", shown_reason: shown ? { ref, digest } : null };
  },
  isSame: () => true,
};
