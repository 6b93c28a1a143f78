import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { capital, kindNoun } from "@/lib/domain/asked";
import { roleMay } from "@/lib/domain/role";
import { operationPage } from "@/lib/queries/operation-page";
import { OperationView } from "./operation-view";

interface Props {
  readonly params: Promise<{ tenant: string; opId: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Operation ${(await params).opId.slice(0, 8)}` };
}

export default async function OperationPage({ params }: Props) {
  const { tenant, opId } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  const viewer = { accountId: actor.id, seesPayload: roleMay(actor.role, "payload.view") };
  const initial = await operationPage(ctx.db, actor.tenantId, viewer, opId);
  if (initial === null) notFound();
  const { kind, requestRef } = initial.operation;
  return (
    <>
      <PageHead
        title={`${capital(kindNoun(kind))} of ${requestRef}`}
        here={`op ${opId.slice(0, 8)}`}
        crumbs={[{ label: "Operations", href: `/t/${tenant}/operations` }]}
      />
      <OperationView tenant={tenant} initial={initial} />
    </>
  );
}
