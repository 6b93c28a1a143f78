import type { Metadata } from "next";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { ReviewsQuerySchema, reviewListPage } from "@/lib/queries/review-list-page";
import { ReviewList } from "./review-list";

export const metadata: Metadata = { title: "Review queue" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ReviewsPage({ params, searchParams }: Props) {
  const { tenant } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  const { view = "mine", after, size, reason, request } = await searchParams;
  // An address that names no list of ours opens the person's own list instead of an error.
  const parsed = ReviewsQuerySchema.safeParse({ view, after, size, reason, request });
  const query = parsed.data ?? ReviewsQuerySchema.parse({ view: "mine" });
  const viewer = { accountId: actor.id, role: actor.role };
  const initial = await reviewListPage(ctx.db, actor.tenantId, viewer, query);
  return (
    <>
      <PageHead
        title="Review queue"
        note="What needs a person, what is lost first at the top. Nothing leaves this list by itself."
      />
      <ReviewList tenant={tenant} query={query} initial={initial} />
    </>
  );
}
