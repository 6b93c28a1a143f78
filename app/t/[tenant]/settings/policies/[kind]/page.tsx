import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { KIND_WORDS } from "@/lib/domain/payload-words";
import { POLICY_KINDS, type PolicyKind } from "@/lib/domain/policy-words";
import { roleMay } from "@/lib/domain/role";
import { policyPage } from "@/lib/queries/policy-page";
import { PolicyDetail } from "./policy-detail";

interface Props {
  readonly params: Promise<{ tenant: string; kind: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const kind = kindIn((await params).kind);
  return { title: kind === null ? "Policies" : titleOf(kind) };
}

export default async function PolicyPage({ params }: Props) {
  const { tenant, kind: named } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  const kind = kindIn(named);
  if (kind === null) notFound();
  const initial = await policyPage(ctx.db, actor.tenantId, actor.id, kind);
  return (
    <>
      <PageHead
        title={titleOf(kind)}
        crumbs={[{ label: "Settings", href: `/t/${tenant}/settings` }]}
        note="Versions are never changed. A proposal keeps the version that it was made under."
      />
      <PolicyDetail
        tenant={tenant}
        initial={initial}
        mayEdit={roleMay(actor.role, "policy.save")}
      />
    </>
  );
}

function kindIn(text: string): PolicyKind | null {
  return POLICY_KINDS.find((kind) => kind === text) ?? null;
}

function titleOf(kind: PolicyKind): string {
  return `Policy: ${KIND_WORDS[kind].noun}`;
}
