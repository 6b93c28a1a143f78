import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { formatDay } from "@/lib/domain/deadline";
import { capabilitiesPage } from "@/lib/queries/connection-page";
import { CapabilitiesTable } from "./capabilities-table";
import { CapabilityChanges } from "./capability-changes";

export const metadata: Metadata = { title: "Capabilities" };

interface Props {
  readonly params: Promise<{ tenant: string; id: string }>;
}

export default async function CapabilitiesPage({ params }: Props) {
  const { tenant, id } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  if (!z.guid().safeParse(id).success) notFound();
  const page = await capabilitiesPage(ctx.db, actor.tenantId, actor.id, id);
  if (page === null) notFound();
  const { name, descriptor, changes } = page;
  const path = `/t/${tenant}/settings`;
  return (
    <>
      <PageHead
        title={`Capabilities of ${name}`}
        here="Capabilities"
        crumbs={[
          { label: "Settings", href: path },
          { label: "Connections", href: `${path}/connections` },
          { label: name, href: `${path}/connections/${id}` },
        ]}
        note={`Adapter ${descriptor.adapter} ${descriptor.adapterVersion}, as of ${formatDay(descriptor.asOf)}. The ledger decides by these values; what nobody can say is treated as the safe case.`}
      />
      <CapabilitiesTable descriptor={descriptor} />
      <CapabilityChanges changes={changes} />
    </>
  );
}
