import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requirePage } from "@/app/_server/session";
import { webhookAddress } from "@/app/_server/webhook-address";
import { roleMay } from "@/lib/domain/role";
import { connectionPage } from "@/lib/queries/connection-page";
import { ConnectionView } from "./connection-view";

export const metadata: Metadata = { title: "Connection" };

interface Props {
  readonly params: Promise<{ tenant: string; id: string }>;
}

export default async function OneConnectionPage({ params }: Props) {
  const { tenant, id } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  if (!z.guid().safeParse(id).success) notFound();
  const initial = await connectionPage(ctx, actor.tenantId, actor.id, id);
  if (initial === null) notFound();
  return (
    <ConnectionView
      tenant={tenant}
      initial={initial}
      address={webhookAddress(id)}
      may={{
        save: roleMay(actor.role, "connection.save"),
        read: roleMay(actor.role, "request.read"),
      }}
    />
  );
}
