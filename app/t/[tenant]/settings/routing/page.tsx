import type { Metadata } from "next";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { roleMay } from "@/lib/domain/role";
import { ownerChoices } from "@/lib/queries/owner-choices";
import { routingPage } from "@/lib/queries/routing-page";
import { RoutingView } from "./routing-view";

export const metadata: Metadata = { title: "Routing" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
}

export default async function Routing({ params }: Props) {
  const { tenant } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  const [initial, owners] = await Promise.all([
    routingPage(ctx.db, actor.tenantId),
    ownerChoices(ctx.db, actor.tenantId),
  ]);
  return (
    <>
      <PageHead
        title="Routing"
        crumbs={[{ label: "Settings", href: `/t/${tenant}/settings` }]}
        note="Who gets which review item, and who of a team is on call. What no rule fits goes to the reason's own owner, so nothing is unowned."
      />
      <RoutingView
        tenant={tenant}
        initial={initial}
        owners={owners}
        mayEdit={roleMay(actor.role, "routing.save")}
      />
    </>
  );
}
