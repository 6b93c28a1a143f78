import type { Metadata } from "next";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { roleMay } from "@/lib/domain/role";
import { retentionPage } from "@/lib/queries/retention-page";
import { RetentionView } from "./retention-view";

export const metadata: Metadata = { title: "Retention" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
}

export default async function Retention({ params }: Props) {
  const { tenant } = await params;
  const { ctx, actor } = await requirePage(tenant, "privacy.view");
  const viewer = { accountId: actor.id, vaultKey: ctx.vaultKey };
  const page = await retentionPage(ctx.db, actor.tenantId, viewer);
  return (
    <>
      <PageHead
        title="Retention"
        crumbs={[{ label: "Erasure requests", href: `/t/${tenant}/privacy/erasures` }]}
        note="How long each class of records is kept, and who answers for it. What a run removes leaves hashes behind, so that chains, seals and packs still verify."
      />
      <RetentionView
        tenant={tenant}
        page={page}
        may={{
          save: roleMay(actor.role, "retention.save"),
          hold: roleMay(actor.role, "retention.hold"),
        }}
      />
    </>
  );
}
