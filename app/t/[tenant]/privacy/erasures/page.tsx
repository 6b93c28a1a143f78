import type { Metadata } from "next";
import Link from "next/link";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { roleMay } from "@/lib/domain/role";
import { erasuresPage } from "@/lib/queries/erasures-page";
import { ErasuresView } from "./erasures-view";

export const metadata: Metadata = { title: "Erasure requests" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
}

export default async function Erasures({ params }: Props) {
  const { tenant } = await params;
  const { ctx, actor } = await requirePage(tenant, "privacy.view");
  const page = await erasuresPage(ctx.db, actor.tenantId, { accountId: actor.id });
  return (
    <>
      <PageHead
        title="Erasure requests"
        action={<Link href={`/t/${tenant}/privacy/retention`}>Retention</Link>}
        note="One person asks, another confirms. Then the key of the person's data is destroyed, and nobody can read them again."
      />
      <ErasuresView tenant={tenant} page={page} mayAsk={roleMay(actor.role, "erasure.request")} />
    </>
  );
}
