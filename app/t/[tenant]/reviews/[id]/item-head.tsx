"use client";

import { ItemStatus } from "@/app/t/[tenant]/reviews/item-status";
import { ItemSubject } from "@/app/t/[tenant]/reviews/item-subject";
import { ownerText } from "@/app/t/[tenant]/reviews/owner-text";
import { AgeBar } from "@/components/age-bar";
import { useFrame } from "@/components/frame/frame-facts";
import { useNow } from "@/components/frame/live";
import { TimeAgo } from "@/components/time-ago";
import { CONSEQUENCE_WORDS } from "@/lib/domain/consequence";
import { formatLocal, formatRemaining } from "@/lib/domain/deadline";
import type { ReviewRow } from "@/lib/queries/review-rows";
import classes from "./item.module.css";

interface ItemHeadProps {
  readonly tenant: string;
  readonly item: ReviewRow;
}

/** Status, consequence and age, what it is about, when something is lost, and whose it is. */
export function ItemHead({ tenant, item }: ItemHeadProps) {
  const now = useNow();
  const { account } = useFrame();
  const owner = ownerText(item.owner, account.id);
  return (
    <section className={classes.head} aria-label="State">
      <div className={classes.line}>
        <ItemStatus item={item} now={now} size="large" />
        <span>{CONSEQUENCE_WORDS[item.consequence]} consequence</span>
        {item.closedAt === null ? (
          <span>
            age <AgeBar since={item.openedAt} limitMs={item.limitMs} now={now} />
          </span>
        ) : (
          <span>
            closed <TimeAgo instant={item.closedAt} />
          </span>
        )}
      </div>
      <div className={classes.line}>
        <ItemSubject tenant={tenant} item={item} />
        <code className={classes.code}>{item.reason}</code>
        <span>Owner: {owner}</span>
        {item.losesAt === null ? (
          <span>Nothing ends by itself.</span>
        ) : (
          <span>
            Loses at{" "}
            <time dateTime={item.losesAt}>
              {formatLocal(item.losesAt, item.zone)} ({item.zone})
            </time>
            , {item.losesClock === "platform" ? "platform expiry" : "business deadline"}{" "}
            {formatRemaining(item.losesAt, now)}
          </span>
        )}
      </div>
    </section>
  );
}
