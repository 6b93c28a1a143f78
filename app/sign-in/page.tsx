import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { currentSession } from "@/app/_server/session";
import { PlainPage } from "@/components/frame/plain-page";
import { consoleEnv } from "@/lib/runtime/env";
import { identityProvider } from "@/lib/runtime/identity";
import { SignInForm } from "./sign-in-form";

export const metadata: Metadata = { title: "Sign in" };

interface SignInPageProps {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { callbackUrl, ended, error } = await searchParams;
  const target = pathWithin(callbackUrl);
  if ((await currentSession()) !== null) redirect(target);
  return (
    <PlainPage title="Sign in" band>
      {ended === undefined ? null : (
        <p role="status">You were signed out. Sign in; your draft is kept.</p>
      )}
      <SignInForm
        target={target}
        provider={identityProvider() === null ? null : consoleEnv().OIDC_NAME}
        refused={error !== undefined}
      />
    </PlainPage>
  );
}

/** A path of this console, or the start page for everything else: no sign-in leads to another site. */
function pathWithin(given: string | string[] | undefined): string {
  if (typeof given !== "string" || !/^\/(?![/\\])/.test(given)) return "/";
  const base = "http://console.invalid";
  const url = URL.canParse(given, base) ? new URL(given, base) : null;
  return url?.origin === base ? `${url.pathname}${url.search}` : "/";
}
