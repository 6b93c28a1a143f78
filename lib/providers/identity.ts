import { createRemoteJWKSet, jwtVerify } from "jose";
import * as oidc from "openid-client";
import { z } from "zod";

/** What a provider gave for one sign-in. Kept sealed; never logged. */
export const ProviderTokensSchema = z.object({
  subject: z.string().min(1),
  accessToken: z.string().min(1),
  refreshToken: z.string().min(1).nullable(),
  /** RFC 3339; null where the provider does not say how long the access token holds. */
  accessEndsAt: z.iso.datetime().nullable(),
});

export type ProviderTokens = z.infer<typeof ProviderTokensSchema>;

export type Confirmation =
  /** The identity is still good; the tokens may be new ones. */
  | { readonly kind: "confirmed"; readonly tokens: ProviderTokens }
  /** The provider says that it no longer vouches for it. */
  | { readonly kind: "refused" }
  /** No usable answer: says nothing about the identity. */
  | { readonly kind: "unanswered" };

export interface IdentityProvider {
  readonly issuer: string;
  /** Asks whether the identity behind the tokens is still good. At most two calls, no repeats. */
  confirm(tokens: ProviderTokens, nowMs: number): Promise<Confirmation>;
  /** Whose sessions a logout token ends (OpenID Connect Back-Channel Logout 1.0, 2.6); null when it is not authentic. */
  readLogout(
    token: string,
  ): Promise<{ readonly subject: string | null; readonly sid: string | null } | null>;
}

export interface IdentitySettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly timeoutMs: number;
}

const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
const LogoutClaims = z.object({
  sub: z.string().min(1).optional(),
  sid: z.string().min(1).optional(),
  events: z.object({ [LOGOUT_EVENT]: z.record(z.string(), z.unknown()) }),
  nonce: z.undefined().optional(),
});

/** Refreshed this long before it ends, so that a token does not end on its way. */
const ENDS_SOON_MS = 30_000;

/** An OpenID provider by its discovery document, which is read when it is first needed. */
export function openIdProvider(settings: IdentitySettings): IdentityProvider {
  let discovered: Promise<oidc.Configuration> | undefined;
  const configuration = () => {
    discovered ??= discover(settings).catch((error: unknown) => {
      // The next question asks anew: a provider that was away must not stay away for us.
      discovered = undefined;
      throw error;
    });
    return discovered;
  };
  return {
    issuer: settings.issuer,
    confirm: async (tokens, nowMs) => {
      try {
        return { kind: "confirmed", tokens: await renewed(await configuration(), tokens, nowMs) };
      } catch (error) {
        return { kind: isRefusal(error) ? "refused" : "unanswered" };
      }
    },
    readLogout: async (token) => readLogout(await configuration(), settings, token),
  };
}

async function discover(settings: IdentitySettings): Promise<oidc.Configuration> {
  const url = new URL(settings.issuer);
  const plain = url.protocol === "http:" ? { execute: [oidc.allowInsecureRequests] } : {};
  const found = await oidc.discovery(url, settings.clientId, settings.clientSecret, undefined, {
    timeout: settings.timeoutMs / 1000,
    ...plain,
  });
  return found;
}

async function renewed(
  configuration: oidc.Configuration,
  tokens: ProviderTokens,
  nowMs: number,
): Promise<ProviderTokens> {
  const endsMs = tokens.accessEndsAt === null ? null : Date.parse(tokens.accessEndsAt);
  const fresh =
    tokens.refreshToken !== null && endsMs !== null && endsMs - ENDS_SOON_MS <= nowMs
      ? await refreshed(configuration, tokens, tokens.refreshToken, nowMs)
      : tokens;
  await oidc.fetchUserInfo(configuration, fresh.accessToken, fresh.subject);
  return fresh;
}

async function refreshed(
  configuration: oidc.Configuration,
  { subject }: ProviderTokens,
  refreshToken: string,
  nowMs: number,
): Promise<ProviderTokens> {
  const answer = await oidc.refreshTokenGrant(configuration, refreshToken);
  const seconds = answer.expiresIn();
  return {
    subject,
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? refreshToken,
    accessEndsAt: seconds === undefined ? null : new Date(nowMs + seconds * 1000).toISOString(),
  };
}

/** RFC 6749 5.2 and RFC 6750 3.1: only these say that the grant or the token is worth nothing any more. */
const REFUSALS = ["invalid_grant", "invalid_token"];

function isRefusal(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError) return REFUSALS.includes(error.error);
  if (error instanceof oidc.WWWAuthenticateChallengeError) return error.status === 401;
  return false;
}

async function readLogout(
  configuration: oidc.Configuration,
  { issuer, clientId }: IdentitySettings,
  token: string,
) {
  const place = configuration.serverMetadata().jwks_uri;
  if (!place) return null;
  const verified = await jwtVerify(token, createRemoteJWKSet(new URL(place)), {
    issuer,
    audience: clientId,
    maxTokenAge: "5 minutes",
    clockTolerance: "1 minute",
  }).catch(() => null);
  const claims = LogoutClaims.safeParse(verified?.payload);
  if (!claims.success) return null;
  const { sub = null, sid = null } = claims.data;
  return sub === null && sid === null ? null : { subject: sub, sid };
}
