import type { Metadata } from "next";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { checksPage } from "@/lib/queries/history-checks-page";
import { ChecksList, type ChecksPage } from "./checks-list";

export const metadata: Metadata = { title: "Verify history" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
}

export default async function VerifyPage({ params }: Props) {
  const { tenant } = await params;
  const { ctx, actor } = await requirePage(tenant, "history.verify");
  const initial: ChecksPage = await checksPage(ctx.db, actor.tenantId);
  return (
    <>
      <PageHead
        title="Verify history"
        note="Has anything been changed? A check reads every entry again and compares it with its chain and its seal."
      />
      <ChecksList tenant={tenant} initial={initial} />
    </>
  );
}
