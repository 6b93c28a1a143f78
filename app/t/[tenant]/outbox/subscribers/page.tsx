import type { Metadata } from "next";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { roleMay } from "@/lib/domain/role";
import { subscribersPage } from "@/lib/queries/subscribers-page";
import { SubscribersView } from "./subscribers-view";

export const metadata: Metadata = { title: "Subscribers" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
}

export default async function SubscribersPage({ params }: Props) {
  const { tenant } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  const initial = await subscribersPage(ctx.db, actor.tenantId);
  return (
    <>
      <PageHead
        title="Subscribers"
        crumbs={[{ label: "Outbox", href: `/t/${tenant}/outbox` }]}
        note="Other systems that are told what became of requests, signed and in order."
      />
      <SubscribersView
        tenant={tenant}
        initial={initial}
        mayAct={roleMay(actor.role, "outbox.act")}
      />
    </>
  );
}
