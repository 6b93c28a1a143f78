import type { IdentityProvider } from "@/lib/providers/identity";
import { revokeProviderSessions } from "@/lib/store/identities";
import type { ConsoleContext } from "./context";
import { identityMarks } from "./identity-marks";

/**
 * Ends the sessions that a provider's logout token names (OpenID Connect Back-Channel Logout 1.0): from the next
 * request on their cookies are worth nothing (C-36). False when the token is not authentic, and then nothing changes.
 */
export async function endProviderSessions(
  ctx: ConsoleContext,
  provider: IdentityProvider,
  token: string,
): Promise<boolean> {
  const logout = await provider.readLogout(token);
  if (logout === null) return false;
  const { subject, sid } = logout;
  const marks = async (what: "subject" | "session", text: string | null) =>
    text === null ? null : (await identityMarks(ctx, what, text)).all;
  const count = await revokeProviderSessions(ctx.db, provider.issuer, {
    subjects: await marks("subject", subject),
    sessions: await marks("session", sid),
  });
  ctx.log.info({ event: "sessions_ended_by_provider", count });
  return true;
}
