"use client";

import Link from "next/link";
import { shortReceipt } from "@/components/read-receipt";
import { TimeAgo } from "@/components/time-ago";
import type { ReviewItemPage } from "@/lib/queries/review-item-page";
import classes from "./item.module.css";
import { ItemDifference } from "./item-difference";

interface ItemFactsProps {
  readonly tenant: string;
  readonly page: ReviewItemPage;
}

/** The difference with the age of each account, and the window that no read can close. */
export function ItemFacts({ tenant, page }: ItemFactsProps) {
  const { difference, platformRead, webhook, item, raceWindow } = page;
  return (
    <div>
      <ItemDifference
        caption="Difference"
        rows={difference}
        zone={item.zone}
        platform={
          platformRead === null ? (
            "never read"
          ) : (
            <>
              {shortReceipt(platformRead.id)}, <TimeAgo instant={platformRead.at} />
            </>
          )
        }
        webhook={
          webhook === null ? (
            "no event"
          ) : (
            <Link href={`/t/${tenant}/inbox/${webhook.id}`}>{webhook.type}</Link>
          )
        }
      />
      {raceWindow === "" ? null : <p className={classes.note}>Race window: {raceWindow}</p>}
    </div>
  );
}
