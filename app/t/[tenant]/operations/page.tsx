import type { Metadata } from "next";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { operationsPage } from "@/lib/queries/operations-page";
import { OperationsQuerySchema } from "@/lib/queries/operations-query";
import { savedViewsOf } from "@/lib/queries/saved-views";
import { addressOf, isFiltered } from "./address";
import { OperationsList } from "./operations-list";
import { StatesLegend } from "./states-legend";

export const metadata: Metadata = { title: "Operations" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function OperationsPage({ params, searchParams }: Props) {
  const { tenant } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  const address = addressOf(await searchParams);
  // An address that is no list of ours (a wrong size, a broken cursor) opens the whole list instead of an error.
  const parsed = OperationsQuerySchema.safeParse(address);
  const query = parsed.data ?? OperationsQuerySchema.parse({});
  const [initial, saved] = await Promise.all([
    operationsPage(ctx.db, actor.tenantId, query),
    savedViewsOf(ctx.db, actor.tenantId, actor.id, "operations"),
  ]);
  return (
    <>
      <PageHead title="Operations" />
      <OperationsList
        tenant={tenant}
        address={parsed.success ? address : {}}
        size={query.size}
        filtered={isFiltered(query)}
        initial={initial}
        saved={saved}
      />
      <StatesLegend />
    </>
  );
}
