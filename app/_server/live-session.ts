import { confirmSession } from "@/lib/flows/confirm-session";
import { openSession, type SessionFacts } from "@/lib/queries/session";
import { consoleContext } from "@/lib/runtime/console";
import { consoleEnv } from "@/lib/runtime/env";
import { identityProvider } from "@/lib/runtime/identity";

/**
 * The session as it is now: open by the database, and its provider, where it has one, still vouches for the person.
 * Null when either says no (PV-1, C-36).
 */
export async function liveSession(sessionId: string): Promise<SessionFacts | null> {
  const ctx = consoleContext();
  const session = await openSession(ctx.db, sessionId);
  if (session === null) return null;
  const time = { everySeconds: consoleEnv().OIDC_RECHECK_SECONDS, nowMs: Date.now() };
  return (await confirmSession(ctx, identityProvider(), session, time)) ? session : null;
}
