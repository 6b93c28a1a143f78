import type { Metadata } from "next";
import { requirePage } from "@/app/_server/session";
import { knownQuery } from "@/app/t/[tenant]/list-address";
import { PageHead } from "@/components/frame/page-head";
import { ShadowQuerySchema, shadowReport } from "@/lib/queries/shadow-report";
import { ShadowView } from "./shadow-view";

export const metadata: Metadata = { title: "Shadow report" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ShadowPage({ params, searchParams }: Props) {
  const { tenant } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  const query = knownQuery(await searchParams, ShadowQuerySchema);
  const initial = await shadowReport(ctx.db, actor.tenantId, query);
  return (
    <>
      <PageHead
        title="Shadow report"
        crumbs={[{ label: "Kill switch", href: `/t/${tenant}/controls` }]}
        note="What would have been done, against what the platform showed afterwards. Nothing of it was sent."
      />
      <ShadowView tenant={tenant} query={query} initial={initial} />
    </>
  );
}
