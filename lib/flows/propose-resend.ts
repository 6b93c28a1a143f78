import type { ResendPayload } from "@/lib/domain/payload";
import { instantOf } from "@/lib/domain/zone";
import { type Change, type ChangeWish, type Proposing, proposeChange } from "./change-proposal";
import { chosenSigners, samePeople } from "./chosen-signers";
import type { Actor, ConsoleContext } from "./context";
import type { Proposed } from "./settle-key";

/**
 * Proposes to deliver the request again to everybody who may still sign, as every change is proposed. The payload
 * says what the platform does to the expiry by itself. Throws Refusal, having changed nothing.
 */
export function proposeResend(
  ctx: ConsoleContext,
  actor: Actor,
  wish: ChangeWish,
): Promise<Proposed> {
  return proposeChange(ctx, actor, wish, RESEND);
}

const RESEND: Change<ResendPayload> = {
  kind: "resend",
  payload: async (proposing) => ({
    ...proposing.head,
    kind: "resend",
    signers: await chosenSigners(proposing, null),
    ...movedExpiry(proposing),
  }),
  isSame: samePeople,
};

/**
 * A platform that begins its days again on a resend counts them from the call, so that the instant is known only
 * about: the time from the last delivery to the present expiry, counted from now.
 */
function movedExpiry({
  descriptor,
  request,
  earlier,
  at,
}: Proposing<ResendPayload>): Pick<ResendPayload, "moves_expiry_to" | "moves_expiry"> {
  if (earlier !== null) {
    const { moves_expiry_to: to, moves_expiry: moves } = earlier;
    return { moves_expiry_to: to, ...(moves === undefined ? {} : { moves_expiry: moves }) };
  }
  if (!descriptor.resendMovesExpiry) return { moves_expiry_to: null };
  const { mirrorExpiresAt: ends, mirrorLastDeliveryAt: delivered } = request;
  const days = ends && delivered && ends.getTime() - delivered.getTime();
  return {
    moves_expiry_to: days && days > 0 ? instantOf(at.getTime() + days) : null,
    moves_expiry: "from_the_call",
  };
}
