import type { Metadata } from "next";
import { requirePage } from "@/app/_server/session";
import { webhookAddress } from "@/app/_server/webhook-address";
import { PageHead } from "@/components/frame/page-head";
import { roleMay } from "@/lib/domain/role";
import { inboxPage } from "@/lib/queries/inbox-page";
import { InboxQuerySchema } from "@/lib/queries/inbox-query";
import { savedViewsOf } from "@/lib/queries/saved-views";
import { addressOf } from "./address";
import { InboxList } from "./inbox-list";
import { ReplayDay } from "./replay-day";

export const metadata: Metadata = { title: "Inbox" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function InboxPage({ params, searchParams }: Props) {
  const { tenant } = await params;
  const { ctx, actor } = await requirePage(tenant, "ledger.view");
  const address = addressOf(await searchParams);
  // An address that is no list of ours opens the whole list instead of an error.
  const parsed = InboxQuerySchema.safeParse(address);
  const query = parsed.data ?? InboxQuerySchema.parse({});
  const [initial, saved] = await Promise.all([
    inboxPage(ctx.db, actor.tenantId, query),
    savedViewsOf(ctx.db, actor.tenantId, actor.id, "inbox"),
  ]);
  const mayReplay = roleMay(actor.role, "inbox.replay");
  return (
    <>
      <PageHead
        title="Inbox"
        note="What the platforms told us, and what came of it. Nothing of a payload is shown in the list."
        action={mayReplay ? <ReplayDay tenant={tenant} /> : undefined}
      />
      <InboxList
        tenant={tenant}
        address={parsed.success ? address : {}}
        size={query.size}
        initial={initial}
        saved={saved}
        mayReplay={mayReplay}
        doors={initial.connections.map(({ id, name }) => ({ name, url: webhookAddress(id) }))}
      />
    </>
  );
}
