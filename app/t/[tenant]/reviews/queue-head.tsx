"use client";

import Link from "next/link";
import { useNow } from "@/components/frame/live";
import { formatRemaining } from "@/lib/domain/deadline";
import type { ReviewListPage } from "@/lib/queries/review-list-page";
import { type Address, addressText } from "./address";
import { ConsequenceBars } from "./consequence-bars";
import classes from "./reviews.module.css";

interface QueueHeadProps {
  readonly path: string;
  readonly address: Address;
  readonly data: ReviewListPage;
}

/** How much waits and how old it is, and what is lost next. */
export function QueueHead({ path, address, data }: QueueHeadProps) {
  const now = useNow();
  const { nextLoss } = data;
  return (
    <section className={classes.head} aria-label="Ageing">
      <ConsequenceBars
        counts={data.bands}
        on={{ consequence: address.consequence, age: address.age }}
        href={({ consequence, age }) => {
          const isOn = address.consequence === consequence && address.age === age;
          const filter = isOn ? {} : { consequence, ...(age === undefined ? {} : { age }) };
          return `${path}${addressText({ view: "all", ...filter })}`;
        }}
      />
      <p className={classes.note}>
        {nextLoss === null ? (
          "Next loss: none of the open items ends by itself."
        ) : (
          <>
            Next loss: <Link href={`${path}/${nextLoss.itemId}`}>{nextLoss.requestRef}</Link>,{" "}
            {nextLoss.clock === "platform" ? "platform expiry" : "business deadline"}{" "}
            {formatRemaining(nextLoss.at, now)}
          </>
        )}
      </p>
    </section>
  );
}
