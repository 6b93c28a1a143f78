import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requirePage } from "@/app/_server/session";
import { roleMay } from "@/lib/domain/role";
import { inboxEventPage } from "@/lib/queries/inbox-event-page";
import { EventView } from "./event-view";

interface Props {
  readonly params: Promise<{ tenant: string; id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Event ${(await params).id.slice(0, 8)}` };
}

export default async function InboxEventPage({ params }: Props) {
  const { tenant, id } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  if (!z.guid().safeParse(id).success) notFound();
  const initial = await inboxEventPage(ctx.db, actor.tenantId, actor.id, id);
  if (initial === null) notFound();
  return (
    <EventView
      tenant={tenant}
      initial={initial}
      may={{
        replay: roleMay(actor.role, "inbox.replay"),
        raw: roleMay(actor.role, "inbox.raw"),
        read: roleMay(actor.role, "request.read"),
      }}
    />
  );
}
