import classes from "@/app/t/[tenant]/outbox/outbox.module.css";
import panels from "@/components/panel.module.css";
import { TimeAgo } from "@/components/time-ago";
import { TimeWithZone } from "@/components/time-with-zone";
import { OUTBOX_TYPE_WORDS } from "@/lib/domain/outbox";
import type { SubscriberFacts } from "@/lib/queries/subscribers-page";

/** Address, events, secrets and health of a subscriber. */
export function SubscriberPanel({ subscriber }: { readonly subscriber: SubscriberFacts }) {
  const { url, eventTypes, waiting, dead, oldestWaitingSince, lastDeliveredAt } = subscriber;
  return (
    <section className={panels.panel} aria-labelledby="facts">
      <h2 className={panels.heading} id="facts">
        What it is told, and how it takes it
      </h2>
      <dl className={panels.pairs}>
        <dt>Address</dt>
        <dd className={classes.mono}>{url}</dd>
        <dt>Told of</dt>
        <dd>{eventTypes.map((type) => OUTBOX_TYPE_WORDS[type]).join(", ")}</dd>
        <Secrets subscriber={subscriber} />
        <dt>Waiting</dt>
        <dd>
          {waiting}
          {oldestWaitingSince === null ? null : (
            <>
              , the oldest from <TimeAgo instant={oldestWaitingSince} />
            </>
          )}
        </dd>
        <dt>Dead letters</dt>
        <dd>{dead}</dd>
        <dt>Last taken</dt>
        <dd>{lastDeliveredAt === null ? "never" : <TimeAgo instant={lastDeliveredAt} />}</dd>
      </dl>
    </section>
  );
}

function Secrets({ subscriber }: { readonly subscriber: SubscriberFacts }) {
  const { secretId, secretMadeAt, previous } = subscriber;
  return (
    <>
      <dt>Signing secret</dt>
      <dd>
        <span className={classes.mono}>{secretId}</span>, made{" "}
        <TimeWithZone instant={secretMadeAt} kind="moment" form="one" />
      </dd>
      {previous === null ? null : (
        <>
          <dt>Signs along</dt>
          <dd>
            <span className={classes.mono}>{previous.id}</span>, until{" "}
            <TimeWithZone instant={previous.until} kind="moment" form="one" />
          </dd>
        </>
      )}
    </>
  );
}
