import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { packPage } from "@/lib/queries/packs-page";
import { PackView } from "./pack-view";

export const metadata: Metadata = { title: "Evidence pack" };

interface Props {
  readonly params: Promise<{ tenant: string; id: string }>;
}

export default async function PackPage({ params }: Props) {
  const { tenant, id } = await params;
  const { ctx, actor } = await requirePage(tenant, "history.export");
  const pack = z.guid().safeParse(id).success ? await packPage(ctx.db, actor.tenantId, id) : null;
  if (pack === null) notFound();
  return (
    <>
      <PageHead
        title={`Evidence pack ${id.slice(0, 8)}`}
        note="Contains references and digests, no contact details. It stays valid after an erasure."
      />
      <PackView tenant={tenant} initial={pack} />
    </>
  );
}
