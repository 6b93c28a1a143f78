import type { Metadata } from "next";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { connectionsPage } from "@/lib/queries/connections-page";
import { ConnectionsView } from "./connections-view";

export const metadata: Metadata = { title: "Connections" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
}

export default async function ConnectionsPage({ params }: Props) {
  const { tenant } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  const initial = await connectionsPage(ctx, actor.tenantId);
  return (
    <>
      <PageHead
        title="Connections"
        crumbs={[{ label: "Settings", href: `/t/${tenant}/settings` }]}
        note="Platforms that this tenant works with. Their credentials are set at the installation and shown nowhere."
      />
      <ConnectionsView tenant={tenant} initial={initial} />
    </>
  );
}
