import { revokeSession } from "@/lib/store/sessions";
import type { ConsoleContext } from "./context";

/**
 * Ends one of the account's own sessions; its cookie is worth nothing from the next request on (C-36). False
 * when it was not open or is not the account's.
 */
export async function endSession(
  ctx: ConsoleContext,
  session: { readonly id: string; readonly accountId: string },
): Promise<boolean> {
  const ended = await revokeSession(ctx.db, session);
  if (ended) ctx.log.info({ event: "session_ended", actor: `user:${session.accountId}` });
  return ended;
}
