import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requirePage } from "@/app/_server/session";
import { roleMay } from "@/lib/domain/role";
import { requestPage } from "@/lib/queries/request-page";
import { RequestDetail } from "./request-detail";
import { REQUEST_TABS } from "./request-tabs";

interface Props {
  readonly params: Promise<{ tenant: string; ref: string }>;
  readonly searchParams: Promise<{ tab?: string | string[] }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Request ${(await params).ref}` };
}

export default async function RequestPage({ params, searchParams }: Props) {
  const { tenant, ref } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  const view = await requestPage(ctx.db, actor.tenantId, actor.id, ref);
  if (view === null) notFound();
  const { tab } = await searchParams;
  return (
    <RequestDetail
      tenant={tenant}
      initial={view}
      tab={REQUEST_TABS.find((name) => name === tab) ?? "operations"}
      may={{
        propose: roleMay(actor.role, "operation.propose"),
        check: roleMay(actor.role, "operation.check"),
        reveal: roleMay(actor.role, "vault.read"),
        revealFreely: actor.role === "account_manager",
      }}
    />
  );
}
