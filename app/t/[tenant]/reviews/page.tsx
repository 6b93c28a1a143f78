import type { Metadata } from "next";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { ownerChoices } from "@/lib/queries/owner-choices";
import { reviewListPage } from "@/lib/queries/review-list-page";
import { ReviewsQuerySchema } from "@/lib/queries/review-list-query";
import { savedViewsOf } from "@/lib/queries/saved-views";
import { addressOf } from "./address";
import { ReviewList } from "./review-list";

export const metadata: Metadata = { title: "Review queue" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ReviewsPage({ params, searchParams }: Props) {
  const { tenant } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  const given = addressOf(await searchParams);
  const address = { ...given, view: given.view ?? "mine" };
  // An address that names no list of ours opens the person's own list instead of an error.
  const parsed = ReviewsQuerySchema.safeParse(address);
  const query = parsed.data ?? ReviewsQuerySchema.parse({ view: "mine" });
  const viewer = { accountId: actor.id, role: actor.role };
  const [initial, owners, saved] = await Promise.all([
    reviewListPage(ctx.db, actor.tenantId, viewer, query),
    ownerChoices(ctx.db, actor.tenantId),
    savedViewsOf(ctx.db, actor.tenantId, actor.id, "reviews"),
  ]);
  return (
    <>
      <PageHead
        title="Review queue"
        note="What needs a person, what is lost first at the top. Nothing leaves this list by itself."
      />
      <ReviewList
        tenant={tenant}
        address={parsed.success ? address : { view: "mine" }}
        size={query.size}
        initial={initial}
        owners={owners}
        saved={saved}
      />
    </>
  );
}
