import type { Metadata } from "next";
import Link from "next/link";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { roleMay } from "@/lib/domain/role";
import { outboxPage } from "@/lib/queries/outbox-page";
import { OutboxQuerySchema } from "@/lib/queries/outbox-query";
import { addressOf } from "./address";
import { OutboxList } from "./outbox-list";

export const metadata: Metadata = { title: "Outbox" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function OutboxPage({ params, searchParams }: Props) {
  const { tenant } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  const address = addressOf(await searchParams);
  // An address that is no list of ours opens the whole list instead of an error.
  const parsed = OutboxQuerySchema.safeParse(address);
  const query = parsed.data ?? OutboxQuerySchema.parse({});
  const initial = await outboxPage(ctx.db, actor.tenantId, query);
  return (
    <>
      <PageHead
        title="Outbox"
        note="Who has been told what, and who has not. Nothing leaves before a read of the platform agrees."
        action={<Link href={`/t/${tenant}/outbox/subscribers`}>Subscribers</Link>}
      />
      <OutboxList
        tenant={tenant}
        address={parsed.success ? address : {}}
        size={query.size}
        initial={initial}
        mayAct={roleMay(actor.role, "outbox.act")}
      />
    </>
  );
}
