"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { AskedAct } from "@/app/t/[tenant]/outbox/asked-act";
import classes from "@/app/t/[tenant]/privacy/privacy.module.css";
import panels from "@/components/panel.module.css";
import { EraseButton } from "./erase-button";
import type { ErasureProps } from "./erasure-detail";

/** The decision of a second person, with what it does said before it is done. */
export function Decide({ tenant, view }: ErasureProps) {
  const router = useRouter();
  const [said, setSaid] = useState<string | null>(null);
  const url = `/api/v1/t/${tenant}/privacy/erasures/${view.id}`;
  return (
    <section className={panels.panel} aria-labelledby="decide">
      <h2 id="decide" className={panels.heading}>
        A second person decides
      </h2>
      <p className={classes.prose}>{why(view)}</p>
      <div className={classes.actions}>
        {view.mayConfirm ? <EraseButton view={view} url={url} heard={setSaid} /> : null}
        {view.mayRefuse ? (
          <AskedAct
            button="Refuse erasure"
            question={`Refuse the erasure of ${view.subjectRef}?`}
            consequence="Nothing is destroyed. It can be asked for again."
            keep="Leave it open"
            asksReason
            url={`${url}/refusals`}
            done={() => router.refresh()}
          />
        ) : null}
      </div>
      <p role="status" className={classes.said}>
        {said}
      </p>
    </section>
  );
}

function why({ mayConfirm, askedBy, holds, mayRefuse }: ErasureProps["view"]): string {
  if (mayConfirm) return "Look at what goes and what ends. It happens at once when you confirm.";
  if (askedBy.you) return "You asked for this. Another person must confirm.";
  if (holds.length > 0 && mayRefuse) return "While a hold stands nothing is destroyed.";
  return "Your role may not confirm this.";
}
