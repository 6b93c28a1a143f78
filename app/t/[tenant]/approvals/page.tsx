import type { Metadata } from "next";
import { requirePage } from "@/app/_server/session";
import { knownQuery } from "@/app/t/[tenant]/list-address";
import { PageHead } from "@/components/frame/page-head";
import { approvalsPage } from "@/lib/queries/approvals-page";
import { ApprovalsQuerySchema } from "@/lib/queries/page-query";
import { ApprovalsList } from "./approvals-list";

export const metadata: Metadata = { title: "Approvals" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ApprovalsPage({ params, searchParams }: Props) {
  const { tenant } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  const query = knownQuery(await searchParams, ApprovalsQuerySchema);
  const viewer = { accountId: actor.id, role: actor.role };
  const initial = await approvalsPage(ctx.db, actor.tenantId, viewer, query);
  return (
    <>
      <PageHead title="Approvals" />
      <ApprovalsList tenant={tenant} query={query} initial={initial} />
    </>
  );
}
