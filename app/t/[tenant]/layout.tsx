import type { Metadata } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { requirePage } from "@/app/_server/session";
import { Frame } from "@/components/frame/frame";
import { READING_COOKIE, readingChoiceOf } from "@/components/frame/reading-choice";
import { pulse } from "@/lib/queries/pulse";

interface TenantLayoutProps {
  readonly params: Promise<{ tenant: string }>;
  readonly children: ReactNode;
}

/** Refused here too, so that a page which must look like none does not show its own title. */
export async function generateMetadata({ params }: TenantLayoutProps): Promise<Metadata> {
  await requirePage((await params).tenant, "ledger.view");
  return {};
}

/** The frame. Every page below checks access again for itself: a layout is not asked on every navigation. */
export default async function TenantLayout({ params, children }: TenantLayoutProps) {
  const { ctx, tenant, membership, account } = await requirePage(
    (await params).tenant,
    "ledger.view",
  );
  const [beat, jar] = await Promise.all([
    pulse(ctx, tenant.id, { id: account.id, role: membership.role }),
    cookies(),
  ]);
  const facts = {
    tenant: { slug: tenant.slug, name: tenant.name },
    role: membership.role,
    account,
  };
  return (
    <Frame facts={facts} pulse={beat} reading={readingChoiceOf(jar.get(READING_COOKIE)?.value)}>
      {children}
    </Frame>
  );
}
