import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { decisionSelectionPage } from "@/lib/queries/decision-selection-page";
import { SelectionView } from "./selection-view";

export const metadata: Metadata = { title: "Decide items" };

interface Props {
  readonly params: Promise<{ tenant: string; id: string }>;
}

export default async function Selection({ params }: Props) {
  const { tenant, id } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  const viewer = { accountId: actor.id, role: actor.role, vaultKey: ctx.vaultKey };
  const initial = await decisionSelectionPage(ctx.db, actor.tenantId, viewer, id);
  if (initial === null) notFound();
  const { count } = initial;
  return (
    <>
      <PageHead
        title={`Decide ${count} ${count === 1 ? "item" : "items"}`}
        here={`selection ${id.slice(0, 8)}`}
        crumbs={[{ label: "Review queue", href: `/t/${tenant}/reviews` }]}
        note="A frozen list: what was selected is what is decided, whatever comes or goes meanwhile."
      />
      <SelectionView tenant={tenant} initial={initial} />
    </>
  );
}
