import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requirePage } from "@/app/_server/session";
import { DEFAULT_BACKUP_DAYS, erasurePage } from "@/lib/queries/erasure-page";
import { ErasureDetail } from "./erasure-detail";

export const metadata: Metadata = { title: "Erasure" };

interface Props {
  readonly params: Promise<{ tenant: string; id: string }>;
}

export default async function Erasure({ params }: Props) {
  const { tenant, id } = await params;
  const { ctx, actor } = await requirePage(tenant, "privacy.view");
  if (!z.guid().safeParse(id).success) notFound();
  const viewer = {
    accountId: actor.id,
    role: actor.role,
    vaultKey: ctx.vaultKey,
    backupDays: ctx.backupDays ?? DEFAULT_BACKUP_DAYS,
  };
  const view = await erasurePage(ctx.db, actor.tenantId, viewer, id);
  if (view === null) notFound();
  return <ErasureDetail tenant={tenant} view={view} />;
}
