import type { Metadata } from "next";
import Link from "next/link";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { systemPage } from "@/lib/queries/system-page";
import { SystemView } from "./system-view";

export const metadata: Metadata = { title: "System" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
}

export default async function SystemPageRoute({ params }: Props) {
  const { tenant } = await params;
  const { ctx, actor } = await requirePage(tenant, "system.view");
  const build = process.env.npm_package_version ?? "dev";
  const initial = await systemPage(ctx.db, actor.tenantId, build);
  return (
    <>
      <PageHead
        title="System"
        note="Is the machinery well? Workers are those of the installation, figures those of this tenant."
        action={<Link href={`/t/${tenant}/runbooks`}>Runbooks</Link>}
      />
      <SystemView tenant={tenant} initial={initial} />
    </>
  );
}
