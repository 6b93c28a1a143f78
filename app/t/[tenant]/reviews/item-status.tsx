"use client";

import { useFrame } from "@/components/frame/frame-facts";
import { StateBadge } from "@/components/state-badge";
import { clockWords, ownerWords } from "@/lib/domain/waiting";
import type { ReviewStatus } from "@/lib/domain/words";
import { ownerText } from "./owner-text";
import classes from "./reviews.module.css";

interface ItemStatusProps {
  readonly item: {
    readonly status: ReviewStatus;
    readonly owner: string;
    readonly assignedTo: string | null;
    readonly statusUntil: string | null;
    readonly regressedAt: string | null;
  };
  readonly now: string;
  readonly size?: "normal" | "large";
}

/** The status of an item, until when it holds, and that something new came in meanwhile. */
export function ItemStatus({ item, now, size = "normal" }: ItemStatusProps) {
  const { account } = useFrame();
  const until = item.statusUntil === null ? null : clockWords(item.statusUntil, now);
  const by = item.assignedTo === null ? null : `account:${item.assignedTo}`;
  return (
    <span className={classes.status}>
      <StateBadge
        family="review"
        code={item.status}
        size={size}
        values={{
          team: ownerWords(item.owner),
          owner: by === null ? null : ownerText(by, account.id),
          moment: until,
        }}
      />
      {item.regressedAt === null ? null : <StateBadge family="review" code="regressed" />}
      {until === null ? null : <span className={classes.until}>until {until}</span>}
    </span>
  );
}
