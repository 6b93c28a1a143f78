import type { Metadata } from "next";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { packsPage } from "@/lib/queries/packs-page";
import { PacksList } from "./packs-list";

export const metadata: Metadata = { title: "Evidence packs" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
}

export default async function PacksPage({ params }: Props) {
  const { tenant } = await params;
  const { ctx, actor } = await requirePage(tenant, "history.export");
  const initial = await packsPage(ctx.db, actor.tenantId);
  return (
    <>
      <PageHead
        title="Evidence packs"
        note="Everything needed to check offline, in one file: payloads, approvals, reads, entries, seals and a readable summary."
      />
      <PacksList tenant={tenant} initial={initial} />
    </>
  );
}
