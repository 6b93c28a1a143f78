"use client";

import { Button } from "@mantine/core";
import Link from "next/link";
import { ActDialog } from "@/app/t/[tenant]/reviews/act-dialog";
import { ACT_WORDS, actsFor, mayDecide } from "@/app/t/[tenant]/reviews/item-acts";
import type { ItemActs } from "@/app/t/[tenant]/reviews/use-item-acts";
import { useFrame } from "@/components/frame/frame-facts";
import type { OwnerChoice } from "@/components/owner-picker";
import type { ReviewRow } from "@/lib/queries/review-rows";
import classes from "./item.module.css";

interface ItemBarProps {
  readonly tenant: string;
  readonly item: ReviewRow;
  readonly acts: ItemActs;
  readonly owners: readonly OwnerChoice[];
  /** What the main button says: to decide, or to look at what waits for a second person. */
  readonly deciding: string;
}

/** What one may do with the item; the way to the decision comes last and stands out. */
export function ItemBar({ tenant, item, acts, owners, deciding }: ItemBarProps) {
  const { account } = useFrame();
  const offered = actsFor(item, account.id);
  const decides = mayDecide(item);
  if (offered.length === 0 && !decides) return null;
  return (
    <section className={classes.bar} aria-label="Actions">
      <p role="status" className={classes.said}>
        {acts.said?.text}
      </p>
      {offered.map((act) => (
        <Button
          key={act}
          size="sm"
          variant={act === "take" || act === "see" ? "light" : "default"}
          className={(act === "take" || act === "see" ? classes.first : classes.other) ?? ""}
          loading={acts.busy}
          onClick={() => acts.begin(act, item)}
        >
          {ACT_WORDS[act].label}
        </Button>
      ))}
      {decides ? (
        <Button
          component={Link}
          href={`/t/${tenant}/reviews/${item.id}/decide`}
          className={classes.main ?? ""}
        >
          {deciding}
        </Button>
      ) : null}
      <ActDialog acts={acts} owners={owners} />
    </section>
  );
}
