import type { Metadata } from "next";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { roleMay } from "@/lib/domain/role";
import { historyPage } from "@/lib/queries/history-page";
import { HistoryQuerySchema } from "@/lib/queries/history-query";
import { addressOf } from "./address";
import { HistoryList } from "./history-list";

export const metadata: Metadata = { title: "History" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function HistoryPage({ params, searchParams }: Props) {
  const { tenant } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  const address = addressOf(await searchParams);
  // An address that is no list of ours opens the whole list instead of an error.
  const parsed = HistoryQuerySchema.safeParse(address);
  const query = parsed.data ?? HistoryQuerySchema.parse({});
  const mayProve = roleMay(actor.role, "history.export");
  const initial = await historyPage(
    ctx.db,
    actor.tenantId,
    { accountId: actor.id, mayProve },
    query,
  );
  return (
    <>
      <PageHead
        title="History"
        note="Who did what, when and why, and what the platform showed before and after. Nothing here can be changed."
      />
      <HistoryList
        tenant={tenant}
        address={parsed.success ? address : {}}
        size={query.size}
        initial={initial}
        mayProve={mayProve}
      />
    </>
  );
}
