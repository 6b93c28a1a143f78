import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requirePage } from "@/app/_server/session";
import { memberPage } from "@/lib/queries/member-page";
import { MemberView } from "./member-view";

export const metadata: Metadata = { title: "Member" };

interface Props {
  readonly params: Promise<{ tenant: string; account: string }>;
}

export default async function Member({ params }: Props) {
  const { tenant, account } = await params;
  const { ctx, actor } = await requirePage(tenant, "members.manage");
  if (!z.guid().safeParse(account).success) notFound();
  const initial = await memberPage(ctx.db, actor.tenantId, actor.id, account);
  if (initial === null) notFound();
  return <MemberView tenant={tenant} initial={initial} />;
}
