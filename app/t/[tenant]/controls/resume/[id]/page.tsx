import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { Refusal } from "@/lib/domain/refusal";
import { roleMay } from "@/lib/domain/role";
import { resumePreview } from "@/lib/queries/resume-preview";
import { ResumeView } from "./resume-view";

export const metadata: Metadata = { title: "Resume preview" };

interface Props {
  readonly params: Promise<{ tenant: string; id: string }>;
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export default async function ResumePage({ params }: Props) {
  const { tenant, id } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  if (!UUID.test(id)) notFound();
  const initial = await resumePreview(ctx.db, actor.tenantId, id, actor.id).catch(orNotFound);
  return (
    <>
      <PageHead
        title="Resume preview"
        crumbs={[{ label: "Kill switch", href: `/t/${tenant}/controls` }]}
        here={initial.scopeWords}
        note={`What opening the switch over ${initial.scopeWords} would do now.`}
      />
      <ResumeView
        tenant={tenant}
        initial={initial}
        mayResume={roleMay(actor.role, "control.resume")}
      />
    </>
  );
}

function orNotFound(error: unknown): never {
  if (error instanceof Refusal && error.code === "not_found") notFound();
  throw error;
}
