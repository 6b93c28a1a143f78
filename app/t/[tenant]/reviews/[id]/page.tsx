import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requirePage } from "@/app/_server/session";
import { ownerChoices } from "@/lib/queries/owner-choices";
import { reviewItemPage } from "@/lib/queries/review-item-page";
import { ItemView } from "./item-view";

interface Props {
  readonly params: Promise<{ tenant: string; id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Review item ${(await params).id.slice(0, 8)}` };
}

export default async function ReviewItem({ params }: Props) {
  const { tenant, id } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  const viewer = { accountId: actor.id, role: actor.role, vaultKey: ctx.vaultKey };
  const [initial, owners] = await Promise.all([
    reviewItemPage(ctx.db, actor.tenantId, viewer, id),
    ownerChoices(ctx.db, actor.tenantId),
  ]);
  if (initial === null) notFound();
  return <ItemView tenant={tenant} initial={initial} owners={owners} />;
}
