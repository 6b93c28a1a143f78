import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { checkPage } from "@/lib/queries/history-checks-page";
import { CheckView } from "./check-view";

export const metadata: Metadata = { title: "Check of the history" };

interface Props {
  readonly params: Promise<{ tenant: string; id: string }>;
}

export default async function CheckPage({ params }: Props) {
  const { tenant, id } = await params;
  const { ctx, actor } = await requirePage(tenant, "history.verify");
  const found = z.guid().safeParse(id).success ? await checkPage(ctx.db, actor.tenantId, id) : null;
  if (found === null) notFound();
  return (
    <>
      <PageHead title={`Check of ${found.check.about}`} />
      <CheckView tenant={tenant} initial={found} />
    </>
  );
}
