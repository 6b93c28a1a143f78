import type { Metadata } from "next";
import { cookies } from "next/headers";
import { requirePage } from "@/app/_server/session";
import { PageHead } from "@/components/frame/page-head";
import { READING_COOKIE, readingChoiceOf } from "@/components/frame/reading-choice";
import { isZone } from "@/lib/domain/zone";
import { deadlinesMonth } from "@/lib/queries/deadlines-month";
import { deadlinesPage } from "@/lib/queries/deadlines-page";
import { savedViewsOf } from "@/lib/queries/saved-views";
import { monthOf, viewOf } from "./address";
import { DeadlinesList } from "./deadlines-list";
import { DeadlinesMonthView } from "./deadlines-month";
import { givenAddress } from "./given-address";

export const metadata: Metadata = { title: "Deadlines" };

interface Props {
  readonly params: Promise<{ tenant: string }>;
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function DeadlinesPage({ params, searchParams }: Props) {
  const { tenant } = await params;
  const { ctx, actor, account } = await requirePage(tenant, "ledger.view");
  const given = await searchParams;
  const { address, query } = givenAddress(given);
  const viewer = { accountId: actor.id, role: actor.role };
  const [initial, saved] = await Promise.all([
    deadlinesPage(ctx.db, actor.tenantId, viewer, query),
    savedViewsOf(ctx.db, actor.tenantId, actor.id, "deadlines"),
  ]);
  const shared = { tenant, address, initial, saved };
  if (viewOf(address) !== "month") {
    return (
      <>
        <PageHead title="Deadlines" />
        <DeadlinesList {...shared} size={query.size} />
      </>
    );
  }
  const zone = await presentZone(given.tz, account.zone);
  const month = monthOf(address, initial.now, zone);
  return (
    <>
      <PageHead title="Deadlines" />
      <DeadlinesMonthView {...shared} month={await deadlinesMonth(ctx.db, actor.tenantId, month)} />
    </>
  );
}

/** The zone that says which month it is now: that of the address, else the one chosen last. */
async function presentZone(inAddress: string | string[] | undefined, myZone: string) {
  if (typeof inAddress === "string" && isZone(inAddress)) return inAddress;
  const chosen = readingChoiceOf((await cookies()).get(READING_COOKIE)?.value);
  return chosen === "mine" && isZone(myZone) ? myZone : "UTC";
}
