"use client";

import { Button } from "@mantine/core";
import Link from "next/link";
import { useState } from "react";
import classes from "@/app/t/[tenant]/outbox/outbox.module.css";
import cards from "@/components/card-table.module.css";
import { useLive } from "@/components/frame/live";
import { ListEmpty, ListError } from "@/components/list-states";
import panels from "@/components/panel.module.css";
import { TimeAgo } from "@/components/time-ago";
import { OUTBOX_TYPE_WORDS } from "@/lib/domain/outbox";
import type { SubscriberFacts, SubscribersPage } from "@/lib/queries/subscribers-page";
import { SecretShown } from "./secret-shown";
import { type MadeSecret, SubscriberForm } from "./subscriber-form";
import { HealthBadge } from "./subscriber-health";

interface SubscribersViewProps {
  readonly tenant: string;
  readonly initial: SubscribersPage;
  readonly mayAct: boolean;
}

/** Who is told of what, with what waits for each, and the form that adds one. */
export function SubscribersView({ tenant, initial, mayAct }: SubscribersViewProps) {
  const path = `/t/${tenant}/outbox/subscribers`;
  const live = useLive<SubscribersPage>([tenant, "subscribers"], `/api/v1${path}`, initial);
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<MadeSecret | null>(null);
  const added = (secret: MadeSecret | null) => {
    setAdding(false);
    setMade(secret);
    live.again();
  };
  const { subscribers } = live.data;
  const button =
    mayAct && !adding ? <Button onClick={() => setAdding(true)}>Add a subscriber</Button> : null;
  return (
    <div className={classes.list}>
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          Subscribers could not be loaded. Deliveries go on.
        </ListError>
      ) : null}
      {made === null ? null : <SecretShown made={made} hide={() => setMade(null)} />}
      {subscribers.length === 0 ? (
        <ListEmpty>No subscribers. Add one to tell other systems.</ListEmpty>
      ) : (
        <Table path={path} subscribers={subscribers} />
      )}
      {button === null ? null : <div>{button}</div>}
      {adding ? (
        <section className={panels.panel} aria-labelledby="add-subscriber">
          <h2 className={panels.heading} id="add-subscriber">
            Add a subscriber
          </h2>
          <SubscriberForm
            url={`/api/v1${path}`}
            method="POST"
            action="Add subscriber"
            done={added}
            cancel={() => setAdding(false)}
          />
        </section>
      ) : null}
    </div>
  );
}

interface TableProps {
  readonly path: string;
  readonly subscribers: readonly SubscriberFacts[];
}

function Table({ path, subscribers }: TableProps) {
  return (
    <div className={cards.scroll}>
      <table className={cards.table}>
        <caption>Subscribers</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">State</th>
            <th scope="col">Address</th>
            <th scope="col">Told of</th>
            <th scope="col" className={cards.number}>
              Waiting
            </th>
            <th scope="col" className={cards.number}>
              Dead letters
            </th>
            <th scope="col">Last taken</th>
          </tr>
        </thead>
        <tbody>
          {subscribers.map((one) => (
            <tr key={one.id}>
              <th scope="row">
                <Link href={`${path}/${one.id}`} data-row>
                  {one.name}
                </Link>
              </th>
              <td data-label="State">
                <HealthBadge subscriber={one} />
              </td>
              <td data-label="Address">
                <span className={classes.mono}>{one.url}</span>
              </td>
              <td data-label="Told of">
                <span>{one.eventTypes.map((type) => OUTBOX_TYPE_WORDS[type]).join(", ")}</span>
              </td>
              <td data-label="Waiting" className={cards.number}>
                {one.waiting}
              </td>
              <td data-label="Dead letters" className={cards.number}>
                {one.dead}
              </td>
              <td data-label="Last taken">
                {one.lastDeliveredAt === null ? "never" : <TimeAgo instant={one.lastDeliveredAt} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
