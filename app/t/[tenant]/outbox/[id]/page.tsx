import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requirePage } from "@/app/_server/session";
import { roleMay } from "@/lib/domain/role";
import { deliveryPage } from "@/lib/queries/delivery-page";
import { DeliveryView } from "./delivery-view";

interface Props {
  readonly params: Promise<{ tenant: string; id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Delivery ${(await params).id.slice(0, 8)}` };
}

export default async function DeliveryPage({ params }: Props) {
  const { tenant, id } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  if (!z.guid().safeParse(id).success) notFound();
  const initial = await deliveryPage(ctx.db, actor.tenantId, actor.id, id);
  if (initial === null) notFound();
  return (
    <DeliveryView
      tenant={tenant}
      initial={initial}
      mayAct={roleMay(actor.role, "outbox.act")}
      maySeeBody={roleMay(actor.role, "payload.view")}
    />
  );
}
