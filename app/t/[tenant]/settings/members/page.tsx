import type { Metadata } from "next";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { roleMay } from "@/lib/domain/role";
import { membersPage } from "@/lib/queries/members-page";
import { MembersView } from "./members-view";

export const metadata: Metadata = { title: "Members" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
}

export default async function Members({ params }: Props) {
  const { tenant } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  const manages = roleMay(actor.role, "members.manage");
  const initial = await membersPage(ctx.db, actor.tenantId, { accountId: actor.id, manages });
  return (
    <>
      <PageHead
        title="Members"
        crumbs={[{ label: "Settings", href: `/t/${tenant}/settings` }]}
        note="Who has access to this tenant. Role and membership are read with every request, so a change acts at once."
      />
      <MembersView tenant={tenant} initial={initial} manages={manages} />
    </>
  );
}
