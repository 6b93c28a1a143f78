"use client";

import Link from "next/link";
import classes from "@/app/t/[tenant]/outbox/outbox.module.css";
import cards from "@/components/card-table.module.css";
import { useLive } from "@/components/frame/live";
import { PageHead } from "@/components/frame/page-head";
import { ListError } from "@/components/list-states";
import panels from "@/components/panel.module.css";
import { personWords } from "@/components/person-words";
import { StateBadge } from "@/components/state-badge";
import { TimeWithZone } from "@/components/time-with-zone";
import { answerWords, DELIVERY_TRIES_MAX, OUTBOX_TYPE_WORDS } from "@/lib/domain/outbox";
import type { DeliveryPage, DeliveryTry } from "@/lib/queries/delivery-page";
import { BodyPanel } from "./body-panel";
import { DeliveryActions } from "./delivery-actions";

interface DeliveryViewProps {
  readonly tenant: string;
  readonly initial: DeliveryPage;
  readonly mayAct: boolean;
  readonly maySeeBody: boolean;
}

/** One event for one subscriber: where it stands, every try, and what was sent. */
export function DeliveryView({ tenant, initial, mayAct, maySeeBody }: DeliveryViewProps) {
  const { id } = initial.delivery;
  const live = useLive<DeliveryPage>(
    [tenant, "delivery", id],
    `/api/v1/t/${tenant}/outbox/${id}`,
    initial,
  );
  const { delivery, tries } = live.data;
  return (
    <>
      <PageHead
        title={`Delivery ${id.slice(0, 8)}`}
        crumbs={[{ label: "Outbox", href: `/t/${tenant}/outbox` }]}
        badge={
          <StateBadge
            family="delivery"
            code={delivery.state}
            values={{ n: delivery.tries }}
            size="large"
          />
        }
        note={`${OUTBOX_TYPE_WORDS[delivery.type]}${delivery.requestRef === null ? "" : ` of ${delivery.requestRef}`}, for ${delivery.subscriber}`}
      />
      <div className={classes.list}>
        {live.failed ? (
          <ListError failed={live.failed} again={live.again}>
            The delivery could not be loaded. Deliveries go on.
          </ListError>
        ) : null}
        {mayAct ? <DeliveryActions tenant={tenant} delivery={delivery} done={live.again} /> : null}
        <div className={classes.columns}>
          <Standing tenant={tenant} delivery={delivery} />
          <BodyPanel tenant={tenant} delivery={delivery} permitted={maySeeBody} />
        </div>
        <Tries tries={tries} underWay={delivery.underWay} />
      </div>
    </>
  );
}

interface StandingProps {
  readonly tenant: string;
  readonly delivery: DeliveryPage["delivery"];
}

function Standing({ tenant, delivery }: StandingProps) {
  const path = `/t/${tenant}`;
  return (
    <section className={panels.panel} aria-labelledby="standing">
      <h2 className={panels.heading} id="standing">
        Where it stands
      </h2>
      <dl className={panels.pairs}>
        <dt>Subscriber</dt>
        <dd>
          <Link href={`${path}/outbox/subscribers/${delivery.subscriberId}`}>
            {delivery.subscriber}
          </Link>
          {delivery.subscriberStopped ? ", deliveries are stopped" : ""}
        </dd>
        {delivery.requestRef === null ? null : (
          <>
            <dt>Request</dt>
            <dd>
              <Link href={`${path}/requests/${delivery.requestRef}`}>{delivery.requestRef}</Link>
            </dd>
          </>
        )}
        <dt>Released</dt>
        <dd>
          {delivery.releasedAt === null ? (
            heldWords(delivery.heldReason)
          ) : (
            <TimeWithZone instant={delivery.releasedAt} kind="moment" form="one" />
          )}
        </dd>
        <dt>Order</dt>
        <dd>
          {delivery.blockedBy === null ? (
            "nothing earlier is in the way"
          ) : (
            <Link href={`${path}/outbox/${delivery.blockedBy}`}>after an earlier event</Link>
          )}
        </dd>
        <dt>Tries</dt>
        <dd>
          {delivery.tries} of {DELIVERY_TRIES_MAX}, {delivery.attempts} in all
        </dd>
        {delivery.nextTryAt === null ? null : (
          <>
            <dt>Next try</dt>
            <dd>
              <TimeWithZone instant={delivery.nextTryAt} kind="moment" form="one" />
            </dd>
          </>
        )}
        <Acts delivery={delivery} />
      </dl>
    </section>
  );
}

function Acts({ delivery }: Pick<StandingProps, "delivery">) {
  const { replayed, discardedBy } = delivery;
  return (
    <>
      {replayed === null ? null : (
        <>
          <dt>Sent again by</dt>
          <dd>
            {replayed.by === null ? "somebody" : personWords(replayed.by)},{" "}
            <TimeWithZone instant={replayed.at} kind="moment" form="one" />
          </dd>
        </>
      )}
      {discardedBy === null ? null : (
        <>
          <dt>Closed by</dt>
          <dd>{personWords(discardedBy)}; the reason is on record</dd>
        </>
      )}
    </>
  );
}

function heldWords(reason: DeliveryPage["delivery"]["heldReason"]): string {
  return reason === "read_disagrees"
    ? "no: a read of the platform disagrees; see the review queue"
    : "not yet: waits for a read of the platform that agrees";
}

interface TriesProps {
  readonly tries: readonly DeliveryTry[];
  readonly underWay: boolean;
}

function Tries({ tries, underWay }: TriesProps) {
  return (
    <section className={panels.panel} aria-labelledby="tries">
      <h2 className={panels.heading} id="tries">
        Tries
      </h2>
      {tries.length === 0 ? (
        <p>Not tried yet.</p>
      ) : (
        <div className={cards.scroll}>
          <table className={cards.table}>
            <caption>Tries, the newest first</caption>
            <thead>
              <tr>
                <th scope="col">Began</th>
                <th scope="col" className={cards.number}>
                  Try
                </th>
                <th scope="col">Answer</th>
                <th scope="col" className={cards.number}>
                  Took, ms
                </th>
                <th scope="col">Worker</th>
              </tr>
            </thead>
            <tbody>
              {tries.map((one, place) => (
                <tr key={one.attempt}>
                  <th scope="row">
                    <TimeWithZone instant={one.beganAt} kind="moment" />
                  </th>
                  <td data-label="Try" className={cards.number}>
                    {one.attempt}
                  </td>
                  <td data-label="Answer">
                    {answerWords(one.status, one.outcome) ??
                      (underWay && place === 0 ? "under way" : "never reported")}
                  </td>
                  <td data-label="Took, ms" className={cards.number}>
                    {one.durationMs ?? "–"}
                  </td>
                  <td data-label="Worker">{one.worker}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
