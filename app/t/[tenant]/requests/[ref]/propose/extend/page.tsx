import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { endedSentence } from "@/lib/domain/request-end";
import { proposePage } from "@/lib/queries/propose-page";
import { ProposeForm } from "./propose-form";

interface Props {
  readonly params: Promise<{ tenant: string; ref: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { ref } = await params;
  return { title: `Propose extension of ${ref}` };
}

export default async function ProposeExtensionPage({ params }: Props) {
  const { tenant, ref } = await params;
  const { ctx, actor } = await requirePage(tenant, "operation.propose");
  const view = await proposePage(ctx.db, actor.tenantId, actor.id, ref);
  if (view === null) notFound();
  const ended = endedSentence(view.request.status, view.request.descriptor);
  return (
    <>
      <PageHead
        title={`Propose extension of ${ref}`}
        here="Propose extension"
        crumbs={[
          { label: "Requests", href: `/t/${tenant}/requests` },
          { label: ref, href: `/t/${tenant}/requests/${ref}` },
        ]}
      />
      {ended === null ? <ProposeForm tenant={tenant} initial={view} /> : <p>{ended}</p>}
    </>
  );
}
