import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { reviewItemPage } from "@/lib/queries/review-item-page";
import { DecideWizard } from "./decide-wizard";

interface Props {
  readonly params: Promise<{ tenant: string; id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Decide: item ${(await params).id.slice(0, 8)}` };
}

export default async function Decide({ params }: Props) {
  const { tenant, id } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  const viewer = { accountId: actor.id, role: actor.role, vaultKey: ctx.vaultKey };
  const initial = await reviewItemPage(ctx.db, actor.tenantId, viewer, id);
  if (initial === null) notFound();
  return (
    <>
      <PageHead
        title={`Decide: ${initial.item.sentence}`}
        here="decide"
        crumbs={[
          { label: "Review queue", href: `/t/${tenant}/reviews` },
          { label: `item ${id.slice(0, 8)}`, href: `/t/${tenant}/reviews/${id}` },
        ]}
      />
      <DecideWizard tenant={tenant} initial={initial} />
    </>
  );
}
