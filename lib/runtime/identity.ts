import { type IdentityProvider, openIdProvider } from "@/lib/providers/identity";
import { consoleEnv } from "./env";

const TIMEOUT_MS = 3_000;

/** Kept on globalThis, as the console's context is. */
const kept = globalThis as { deadlineIdentity?: IdentityProvider };

/** The provider of identities that this console is configured for; null when only local accounts sign in. */
export function identityProvider(): IdentityProvider | null {
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
  } = consoleEnv();
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  kept.deadlineIdentity ??= openIdProvider({
    issuer,
    clientId,
    clientSecret,
    timeoutMs: TIMEOUT_MS,
  });
  return kept.deadlineIdentity;
}
