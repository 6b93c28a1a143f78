"use client";

import { useState } from "react";
import { AskedAct } from "@/app/t/[tenant]/outbox/asked-act";
import classes from "@/app/t/[tenant]/outbox/outbox.module.css";
import { OUTBOX_TYPE_WORDS } from "@/lib/domain/outbox";
import type { DeliveryPage } from "@/lib/queries/delivery-page";

interface DeliveryActionsProps {
  readonly tenant: string;
  readonly delivery: DeliveryPage["delivery"];
  done(): void;
}

/** Sending again and closing, as far as the present state allows. */
export function DeliveryActions({ tenant, delivery, done }: DeliveryActionsProps) {
  const [said, setSaid] = useState<string | null>(null);
  const { id, state, type, subscriber, releasedAt, underWay } = delivery;
  const url = `/api/v1/t/${tenant}/outbox`;
  const heard = (words: string) => {
    setSaid(words);
    done();
  };
  const closable = state !== "delivered" && state !== "discarded" && !underWay;
  return (
    <div className={classes.actions}>
      {releasedAt === null || underWay ? null : (
        <AskedAct
          button="Send again"
          question={`Send ${OUTBOX_TYPE_WORDS[type]} to ${subscriber} again?`}
          consequence="Same message id. The receiver may see it twice."
          keep="Leave it"
          url={`${url}/replays`}
          body={{ ids: [id] }}
          done={() => heard("It goes out again.")}
        />
      )}
      {closable ? (
        <AskedAct
          button="Close without delivery"
          question={`Close this delivery to ${subscriber}?`}
          consequence="It is not sent. Later events of the request go on."
          keep="Keep it"
          url={`${url}/${id}/discards`}
          asksReason
          done={() => heard("Closed by you without delivery.")}
        />
      ) : null}
      <span role="status">{said}</span>
    </div>
  );
}
