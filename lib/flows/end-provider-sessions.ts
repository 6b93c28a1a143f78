import type { IdentityProvider } from "@/lib/providers/identity";
import { revokeProviderSessions } from "@/lib/store/identities";
import type { ConsoleContext } from "./context";
import { identityMark } from "./identity-marks";

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
  const mark = (what: "subject" | "session", text: string | null) =>
    text === null ? null : identityMark(ctx.vaultKey, what, text);
  const count = await revokeProviderSessions(
    ctx.db,
    { issuer: provider.issuer, subjectMark: mark("subject", subject) },
    mark("session", sid),
  );
  ctx.log.info({ event: "sessions_ended_by_provider", count });
  return true;
}
