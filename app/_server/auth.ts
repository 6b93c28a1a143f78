import type { NextAuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { z } from "zod";
import { endSession } from "@/lib/flows/end-session";
import { SESSION_HOURS, signIn } from "@/lib/flows/sign-in";
import { signInByProvider } from "@/lib/flows/sign-in-by-provider";
import { consoleContext } from "@/lib/runtime/console";
import { consoleEnv } from "@/lib/runtime/env";
import { identityProvider } from "@/lib/runtime/identity";
import { liveSession } from "./live-session";
import { openIdSignIn, signInOf } from "./openid";

const attempt = z.object({
  login: z.string().min(1).max(200),
  password: z.string().min(1).max(1000),
});
const ticket = z.object({ sid: z.guid(), sub: z.guid() });

/**
 * next-auth with local accounts (PV-1). Its token carries the id of a session row and nothing about roles: the row
 * is read again on every request, so that ending a session acts at once (C-36).
 */
export function authOptions(): NextAuthOptions {
  return {
    secret: consoleEnv().NEXTAUTH_SECRET,
    session: { strategy: "jwt", maxAge: SESSION_HOURS * 3600 },
    pages: { signIn: "/sign-in", error: "/sign-in" },
    providers: [
      Credentials({
        credentials: { login: {}, password: {} },
        authorize: async (given, request) => {
          const parsed = attempt.safeParse(given);
          if (!parsed.success) return null;
          const source = String(request?.headers?.["x-forwarded-for"] ?? "direct");
          const result = await signIn(consoleContext(), { ...parsed.data, source });
          if (result.kind === "too_many_tries") throw new Error(`too_many_tries:${result.seconds}`);
          if (result.kind === "refused") return null;
          return { id: result.accountId, sessionId: result.sessionId };
        },
      }),
      ...(identityProvider() === null ? [] : [openIdSignIn()]),
    ],
    callbacks: {
      signIn: async ({ user, account, profile }) => {
        if (account?.type !== "oauth") return true;
        const wish = signInOf(account, profile, consoleEnv().OIDC_ISSUER ?? "");
        const result = wish && (await signInByProvider(consoleContext(), wish));
        if (result?.kind !== "signed_in") return false;
        Object.assign(user, { id: result.accountId, sessionId: result.sessionId });
        return true;
      },
      jwt: async ({ token, user }) => {
        if (user) return { sub: user.id, sid: (user as { sessionId?: string }).sessionId };
        const parsed = ticket.safeParse(token);
        const open = parsed.success && (await liveSession(parsed.data.sid));
        // Throwing is the one way by which next-auth takes a session for ended.
        if (!open) throw new Error("session ended");
        return token;
      },
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: {
      signOut: async ({ token }) => {
        const parsed = ticket.safeParse(token);
        if (!parsed.success) return;
        await endSession(consoleContext(), { id: parsed.data.sid, accountId: parsed.data.sub });
      },
    },
    logger: {
      // An ended session is an ordinary thing, and next-auth's own lines quote what they were given.
      error: (code) => consoleContext().log.info({ event: "auth", reason: code }),
      warn: (code) => consoleContext().log.debug({ event: "auth", reason: code }),
      debug: () => undefined,
    },
  };
}
