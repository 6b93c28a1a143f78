"use client";

import Link from "next/link";
import { mayDecide } from "@/app/t/[tenant]/reviews/item-acts";
import { useItemActs } from "@/app/t/[tenant]/reviews/use-item-acts";
import { useLive } from "@/components/frame/live";
import { PageHead } from "@/components/frame/page-head";
import { ListError } from "@/components/list-states";
import type { OwnerChoice } from "@/components/owner-picker";
import panel from "@/components/panel.module.css";
import { ReadReceipt, type ReceiptFacts } from "@/components/read-receipt";
import { REQUEST_WORDS, type RequestWordCode } from "@/lib/domain/words";
import type { ReviewItemPage } from "@/lib/queries/review-item-page";
import classes from "./item.module.css";
import { ItemBar } from "./item-bar";
import { ItemDecisions } from "./item-decisions";
import { ItemFacts } from "./item-facts";
import { ItemHead } from "./item-head";
import { ItemTimeline } from "./item-timeline";
import { useItemKeys, usePlace } from "./use-item-keys";

interface ItemViewProps {
  readonly tenant: string;
  readonly initial: ReviewItemPage;
  readonly owners: readonly OwnerChoice[];
}

/** What exactly disagrees, what is on record about it, and what one may do (RV-2). */
export function ItemView({ tenant, initial, owners }: ItemViewProps) {
  const { id } = initial.item;
  const queue = `/t/${tenant}/reviews`;
  const path = `${queue}/${id}`;
  const live = useLive<ReviewItemPage>([tenant, "review", id], `/api/v1${path}`, initial);
  const page = live.data;
  const { item } = page;
  const acts = useItemActs(tenant, live.again);
  const { place, back } = usePlace(id);
  useItemKeys({
    path,
    place,
    act: (act) => acts.begin(act, item),
    decide: mayDecide(item) ? `${path}/decide` : null,
  });
  return (
    <>
      <PageHead
        title={item.sentence}
        here={`item ${id.slice(0, 8)}`}
        crumbs={[{ label: "Review queue", href: back ?? queue }]}
        note={place === null ? null : `${place.number} of ${place.count} in the list you came from`}
      />
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          The item could not be loaded.
        </ListError>
      ) : null}
      <div className={classes.page}>
        <ItemHead tenant={tenant} item={item} />
        <ItemFacts tenant={tenant} page={page} />
        <div className={classes.columns}>
          <ItemTimeline page={page} />
          <Beside tenant={tenant} page={page} />
        </div>
        <Receipts page={page} />
        <ItemBar
          tenant={tenant}
          item={item}
          acts={acts}
          owners={owners}
          deciding={item.status === "second_person" ? "Look at the decision" : "Decide…"}
        />
      </div>
    </>
  );
}

interface PartProps {
  readonly tenant: string;
  readonly page: ReviewItemPage;
}

/** What is known beside the difference: earlier decisions, and where to read on. */
function Beside({ tenant, page }: PartProps) {
  const { decisions, earlier, item } = page;
  return (
    <div className={classes.stack}>
      {decisions.length === 0 ? null : (
        <ItemDecisions
          tenant={tenant}
          heading="Decisions about this item"
          decisions={decisions}
          none=""
        />
      )}
      <ItemDecisions
        tenant={tenant}
        heading="Earlier decisions on this request"
        decisions={earlier}
        none="None about other items of this request."
      />
      <section className={panel.panel} aria-label="Read on">
        <h2 className={panel.heading}>Read on</h2>
        <ul className={classes.list}>
          <li>
            <Link href={`/t/${tenant}/runbooks/${item.reason}`}>
              Runbook: {item.reason.replaceAll("_", "-")}
            </Link>
          </li>
          {item.requestRef === null ? null : (
            <li>
              <Link href={`/t/${tenant}/reviews?view=all&request=${item.requestRef}`}>
                All open items of {item.requestRef}
              </Link>
            </li>
          )}
        </ul>
      </section>
    </div>
  );
}

/** The newest reads in full; older ones are folded. */
function Receipts({ page }: { readonly page: ReviewItemPage }) {
  const { receipts, item, now } = page;
  if (receipts.length === 0) return null;
  return (
    <details className={panel.panel} open={receipts.length <= 2}>
      <summary className={classes.summary}>Receipts ({receipts.length})</summary>
      <div className={classes.receipts}>
        {receipts.map((receipt) => (
          <ReadReceipt key={receipt.id} receipt={factsOf(receipt)} zone={item.zone} now={now} />
        ))}
      </div>
    </details>
  );
}

function factsOf(receipt: ReviewItemPage["receipts"][number]): ReceiptFacts {
  const known = receipt.status !== null && Object.hasOwn(REQUEST_WORDS, receipt.status);
  return {
    ...receipt,
    purpose: receipt.purpose as ReceiptFacts["purpose"],
    outcome: receipt.outcome as ReceiptFacts["outcome"],
    status: known ? (receipt.status as RequestWordCode) : null,
  };
}
