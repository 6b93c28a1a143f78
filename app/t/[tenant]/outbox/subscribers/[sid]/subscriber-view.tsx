"use client";

import Link from "next/link";
import { Fragment, useState } from "react";
import classes from "@/app/t/[tenant]/outbox/outbox.module.css";
import { OutboxTable } from "@/app/t/[tenant]/outbox/outbox-table";
import { SecretShown } from "@/app/t/[tenant]/outbox/subscribers/secret-shown";
import {
  type MadeSecret,
  SubscriberForm,
} from "@/app/t/[tenant]/outbox/subscribers/subscriber-form";
import { HealthBadge } from "@/app/t/[tenant]/outbox/subscribers/subscriber-health";
import { useLive } from "@/components/frame/live";
import { PageHead } from "@/components/frame/page-head";
import { ListError } from "@/components/list-states";
import panels from "@/components/panel.module.css";
import { personWords } from "@/components/person-words";
import { TimeWithZone } from "@/components/time-with-zone";
import type { OutboxPage } from "@/lib/queries/outbox-page";
import type { SubscriberPage } from "@/lib/queries/subscribers-page";
import { SubscriberActions } from "./subscriber-actions";
import { SubscriberPanel } from "./subscriber-panel";

interface SubscriberViewProps {
  readonly tenant: string;
  readonly initial: SubscriberPage;
  readonly initialLog: OutboxPage;
  readonly mayAct: boolean;
}

/** One subscriber: what it is told of, its secrets, its delivery log, and what people did to it. */
export function SubscriberView({ tenant, initial, initialLog, mayAct }: SubscriberViewProps) {
  const { id, name } = initial.subscriber;
  const path = `/t/${tenant}/outbox`;
  const url = `/api/v1${path}/subscribers/${id}`;
  const live = useLive<SubscriberPage>([tenant, "subscriber", id], url, initial);
  const log = useLive<OutboxPage>(
    [tenant, "outbox", `subscriber ${id}`],
    `/api/v1${path}?subscriber=${encodeURIComponent(live.data.subscriber.name)}`,
    initialLog,
  );
  const [made, setMade] = useState<MadeSecret | null>(null);
  const [changing, setChanging] = useState(false);
  const { subscriber, acts } = live.data;
  return (
    <>
      <PageHead
        title={`Subscriber ${subscriber.name}`}
        here={name}
        crumbs={[
          { label: "Outbox", href: path },
          { label: "Subscribers", href: `${path}/subscribers` },
        ]}
        badge={<HealthBadge subscriber={subscriber} />}
      />
      <div className={classes.list}>
        {live.failed ? (
          <ListError failed={live.failed} again={live.again}>
            The subscriber could not be loaded. Deliveries go on.
          </ListError>
        ) : null}
        {made === null ? null : <SecretShown made={made} hide={() => setMade(null)} />}
        {mayAct ? (
          <SubscriberActions
            url={url}
            subscriber={subscriber}
            change={() => setChanging(true)}
            secretMade={setMade}
            done={() => {
              live.again();
              log.again();
            }}
          />
        ) : null}
        {changing ? (
          <section className={panels.panel} aria-labelledby="change-subscriber">
            <h2 className={panels.heading} id="change-subscriber">
              Change {subscriber.name}
            </h2>
            <SubscriberForm
              url={url}
              method="PATCH"
              action="Save changes"
              present={subscriber}
              done={() => {
                setChanging(false);
                live.again();
              }}
              cancel={() => setChanging(false)}
            />
          </section>
        ) : null}
        <div className={classes.columns}>
          <SubscriberPanel subscriber={subscriber} />
          <Acts acts={acts} />
        </div>
        <Log tenant={tenant} log={log.data} subscriber={subscriber.name} />
      </div>
    </>
  );
}

function Acts({ acts }: Pick<SubscriberPage, "acts">) {
  return (
    <section className={panels.panel} aria-labelledby="acts">
      <h2 className={panels.heading} id="acts">
        What people did
      </h2>
      <dl className={panels.pairs}>
        {acts.map((act) => (
          <Fragment key={act.id}>
            <dt>
              <TimeWithZone instant={act.at} kind="moment" form="one" />
            </dt>
            <dd>
              {act.sentence} By {act.by === null ? "somebody" : personWords(act.by)}.
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

interface LogProps {
  readonly tenant: string;
  readonly log: OutboxPage;
  readonly subscriber: string;
}

function Log({ tenant, log, subscriber }: LogProps) {
  return (
    <section className={panels.panel} aria-labelledby="log">
      <h2 className={panels.heading} id="log">
        Delivery log
        <Link href={`/t/${tenant}/outbox?subscriber=${encodeURIComponent(subscriber)}`}>
          All of them, with filters
        </Link>
      </h2>
      {log.rows.length === 0 ? (
        <p>Nothing to tell yet.</p>
      ) : (
        <OutboxTable tenant={tenant} rows={log.rows} withSubscriber={false} />
      )}
    </section>
  );
}
