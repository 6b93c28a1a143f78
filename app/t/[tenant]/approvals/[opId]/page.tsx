import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requirePage } from "@/app/_server/session";
import { roleMay } from "@/lib/domain/role";
import { readReason } from "@/lib/flows/read-reason";
import { approvePage } from "@/lib/queries/approve-page";
import { ApproveDetail } from "./approve-detail";

interface Props {
  readonly params: Promise<{ tenant: string; opId: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Approve: op ${(await params).opId.slice(0, 8)}` };
}

export default async function ApprovePage({ params }: Props) {
  const { tenant, opId } = await params;
  const { ctx, actor } = await requirePage(tenant, "payload.view");
  const viewer = { accountId: actor.id, role: actor.role };
  const view = await approvePage(ctx.db, actor.tenantId, viewer, opId);
  if (view === null) notFound();
  return (
    <ApproveDetail
      tenant={tenant}
      initial={view}
      reason={await readReason(ctx, actor, opId)}
      mayReveal={roleMay(actor.role, "vault.read")}
      asksReason={actor.role !== "account_manager"}
    />
  );
}
