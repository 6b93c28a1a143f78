import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requirePage } from "@/app/_server/session";
import { roleMay } from "@/lib/domain/role";
import { outboxPage } from "@/lib/queries/outbox-page";
import { OutboxQuerySchema } from "@/lib/queries/outbox-query";
import { subscriberPage } from "@/lib/queries/subscribers-page";
import { SubscriberView } from "./subscriber-view";

export const metadata: Metadata = { title: "Subscriber" };

interface Props {
  readonly params: Promise<{ tenant: string; sid: string }>;
}

export default async function OneSubscriberPage({ params }: Props) {
  const { tenant, sid } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  if (!z.guid().safeParse(sid).success) notFound();
  const initial = await subscriberPage(ctx.db, actor.tenantId, actor.id, sid);
  if (initial === null) notFound();
  const query = OutboxQuerySchema.parse({ subscriber: initial.subscriber.name });
  const log = await outboxPage(ctx.db, actor.tenantId, query);
  return (
    <SubscriberView
      tenant={tenant}
      initial={initial}
      initialLog={log}
      mayAct={roleMay(actor.role, "outbox.act")}
    />
  );
}
