import { decode } from "next-auth/jwt";
import { z } from "zod";
import type { SessionFacts } from "@/lib/queries/session";
import { consoleEnv } from "@/lib/runtime/env";
import { liveSession } from "./live-session";

const ticket = z.object({ sid: z.guid() });

interface CookieJar {
  get(name: string): { readonly value: string } | undefined;
}

/** The name of next-auth's session cookie; a secure one where the console is served by https. */
export function sessionCookieName(): string {
  const secure = consoleEnv().NEXTAUTH_URL.startsWith("https://");
  return `${secure ? "__Secure-" : ""}next-auth.session-token`;
}

/** The open session behind a request's cookie, read from the database now (PV-1); null when there is none. */
export async function sessionOf(cookies: CookieJar): Promise<SessionFacts | null> {
  const token = cookies.get(sessionCookieName())?.value;
  if (!token) return null;
  const claims = await decode({ token, secret: consoleEnv().NEXTAUTH_SECRET }).catch(() => null);
  const parsed = ticket.safeParse(claims);
  return parsed.success ? liveSession(parsed.data.sid) : null;
}
