import { redirect } from "next/navigation";
import { requirePage } from "@/app/_server/session";
import { startOf } from "@/components/frame/pages";

interface TenantPageProps {
  readonly params: Promise<{ tenant: string }>;
}

/** Leads to where the member's role starts. */
export default async function TenantPage({ params }: TenantPageProps) {
  const { tenant, membership } = await requirePage((await params).tenant, "ledger.view");
  redirect(`/t/${tenant.slug}${startOf(membership.role)}`);
}
