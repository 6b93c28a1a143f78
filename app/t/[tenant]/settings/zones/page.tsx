import type { Metadata } from "next";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { compareZoneRules } from "@/lib/flows/compare-zone-rules";
import { zonesPage } from "@/lib/queries/zones-page";
import { ZoneData } from "./zone-data";

export const metadata: Metadata = { title: "Zone data" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
}

export default async function ZonesPage({ params }: Props) {
  const { tenant } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  const page = await zonesPage(ctx.db, actor.tenantId);
  const comparison = await compareZoneRules(ctx.db, page.zones, page.now);
  return (
    <>
      <PageHead
        title="Zone data"
        crumbs={[{ label: "Settings", href: `/t/${tenant}/settings` }]}
        note="Deadlines are computed once, at approval, with the rules named here and with no others."
      />
      <ZoneData
        tenant={tenant}
        page={page}
        comparison={comparison}
        runtimeVersion={process.versions.tz ?? "unknown"}
      />
    </>
  );
}
