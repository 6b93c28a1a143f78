import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import Provider from "oidc-provider";

export interface TestIdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly provider: Provider;
  /** From now on the provider does not know the person any more. */
  disable(accountId: string): void;
  close(): Promise<void>;
}

/**
 * A real OpenID provider on a free port of 127.0.0.1, a host name other than the console's, since cookies know no
 * port. An account is what is typed at its form; its address is that at north.example, and verified. A POST to
 * `/testing/disable/<account>` disables one from another process.
 */
export async function startIdentityProvider(consoleUrl: string): Promise<TestIdentityProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, clientSecret] = ["deadline-ledger", randomBytes(24).toString("base64url")];
  const disabled = new Set<string>();
  const provider = await newProvider({ issuer, consoleUrl, clientId, clientSecret, disabled });
  const answer = provider.callback();
  server.on("request", (request, response) => {
    const id = /^\/testing\/disable\/([\w-]+)$/.exec(request.url ?? "")?.[1];
    if (request.method !== "POST" || id === undefined) return void answer(request, response);
    disabled.add(id);
    response.writeHead(204).end();
  });
  return {
    issuer,
    clientId,
    clientSecret,
    provider,
    disable: (accountId) => void disabled.add(accountId),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Settings {
  readonly issuer: string;
  readonly consoleUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly disabled: ReadonlySet<string>;
}

async function newProvider(settings: Settings): Promise<Provider> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const key = { ...(await exportJWK(privateKey)), alg: "RS256", use: "sig" };
  return new Provider(settings.issuer, {
    jwks: { keys: [key] },
    cookies: { keys: [randomBytes(16).toString("hex")] },
    clients: [
      {
        client_id: settings.clientId,
        client_secret: settings.clientSecret,
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        redirect_uris: [`${settings.consoleUrl}/api/auth/callback/oidc`],
        backchannel_logout_uri: `${settings.consoleUrl}/api/oidc/logout`,
        backchannel_logout_session_required: true,
      },
    ],
    // The console of a test is on this machine, where the provider's own client refuses to go.
    fetch: (url, options = {}) => {
      const { signal, method, headers, body } = options;
      return fetch(url, { signal, method, headers, body } as RequestInit);
    },
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    features: { backchannelLogout: { enabled: true } },
    findAccount: (_context, id) =>
      settings.disabled.has(id)
        ? undefined
        : {
            accountId: id,
            claims: () => ({ sub: id, email: `${id}@north.example`, email_verified: true }),
          },
  });
}
