import type { Metadata } from "next";
import Link from "next/link";
import { requirePage } from "@/app/_server/session";
import { knownQuery } from "@/app/t/[tenant]/list-address";
import { PageHead } from "@/components/frame/page-head";
import { roleMay } from "@/lib/domain/role";
import { askedRequests, RequestsQuerySchema } from "@/lib/queries/page-query";
import { requestsPage } from "@/lib/queries/requests-page";
import { savedViewsOf } from "@/lib/queries/saved-views";
import { RequestsList } from "./requests-list";

export const metadata: Metadata = { title: "Requests" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function RequestsPage({ params, searchParams }: Props) {
  const { tenant } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  const query = knownQuery(await searchParams, RequestsQuerySchema);
  const { filter, order } = askedRequests(query);
  const [initial, saved] = await Promise.all([
    requestsPage(ctx.db, actor.tenantId, actor.id, filter, order),
    savedViewsOf(ctx.db, actor.tenantId, actor.id, "requests"),
  ]);
  return (
    <>
      <PageHead
        title="Requests"
        action={
          roleMay(actor.role, "operation.propose") ? (
            <Link href={`/t/${tenant}/requests/new`}>Propose a send</Link>
          ) : undefined
        }
      />
      <RequestsList tenant={tenant} query={query} initial={initial} saved={saved} />
    </>
  );
}
