import type { Account } from "next-auth";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { z } from "zod";
import type { ProviderSignIn } from "@/lib/flows/sign-in-by-provider";
import { consoleEnv } from "@/lib/runtime/env";

/** The claims of the identity token together with those of the userinfo endpoint, whichever place a provider uses. */
const ClaimsSchema = z.object({
  sub: z.string().min(1),
  email: z.string().min(3).optional(),
  email_verified: z.boolean().optional(),
  sid: z.string().min(1).optional(),
});

const TokensSchema = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  /** Seconds since 1970. */
  expires_at: z.number().int().optional(),
});

/** The configured provider for next-auth: authorization code with PKCE, state and nonce. */
export function openIdSignIn(): OAuthConfig<Record<string, unknown>> {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME, OIDC_SCOPE } = consoleEnv();
  return {
    id: "oidc",
    name: OIDC_NAME,
    type: "oauth",
    wellKnown: `${OIDC_ISSUER?.replace(/\/$/, "")}/.well-known/openid-configuration`,
    clientId: OIDC_CLIENT_ID ?? "",
    clientSecret: OIDC_CLIENT_SECRET ?? "",
    authorization: { params: { scope: OIDC_SCOPE, ...offline(OIDC_SCOPE) } },
    idToken: true,
    checks: ["pkce", "state", "nonce"],
    userinfo: {
      request: async ({ client, tokens }) => ({
        ...("claims" in tokens && typeof tokens.claims === "function" ? tokens.claims() : {}),
        ...(await client.userinfo(tokens.access_token ?? "")),
      }),
    },
    profile: ({ sub }) => ({ id: String(sub) }),
  };
}

/** OpenID Connect Core 1.0, 11: lasting access is granted only where the person is asked for consent. */
function offline(scope: string) {
  return scope.split(" ").includes("offline_access") ? { prompt: "consent" } : {};
}

/** What a provider said about one sign-in; null when it did not say enough. */
export function signInOf(
  account: Account,
  profile: unknown,
  issuer: string,
): ProviderSignIn | null {
  const claims = ClaimsSchema.safeParse(profile);
  const tokens = TokensSchema.safeParse(account);
  if (!claims.success || !tokens.success) return null;
  const { sub, email, email_verified: verified, sid } = claims.data;
  const { access_token, refresh_token, expires_at } = tokens.data;
  return {
    issuer,
    verifiedEmail: verified === true && email !== undefined ? email : null,
    sid: sid ?? null,
    tokens: {
      subject: sub,
      accessToken: access_token,
      refreshToken: refresh_token ?? null,
      accessEndsAt: expires_at === undefined ? null : new Date(expires_at * 1000).toISOString(),
    },
  };
}
