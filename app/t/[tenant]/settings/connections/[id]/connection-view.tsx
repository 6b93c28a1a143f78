"use client";

import Link from "next/link";
import { Fragment } from "react";
import { ConnectionBadges } from "@/app/t/[tenant]/settings/connections/connection-badges";
import classes from "@/app/t/[tenant]/settings/connections/connections.module.css";
import { useLive } from "@/components/frame/live";
import { PageHead } from "@/components/frame/page-head";
import { ListError } from "@/components/list-states";
import panels from "@/components/panel.module.css";
import { personWords } from "@/components/person-words";
import { TimeWithZone } from "@/components/time-with-zone";
import type { ConnectionPage } from "@/lib/queries/connection-page";
import { DeliveriesPanel } from "./deliveries-panel";
import { FactsPanel } from "./facts-panel";
import { PollingPanel } from "./polling-panel";
import { TestConnection } from "./test-connection";

interface ConnectionViewProps {
  readonly tenant: string;
  readonly initial: ConnectionPage;
  /** Where the platform delivers. */
  readonly address: string;
  readonly may: { readonly save: boolean; readonly read: boolean };
}

/** One platform connection: health, credentials by their date, secrets of deliveries, polling, and who changed what. */
export function ConnectionView({ tenant, initial, address, may }: ConnectionViewProps) {
  const { id, name } = initial.connection;
  const url = `/api/v1/t/${tenant}/connections/${id}`;
  const live = useLive<ConnectionPage>([tenant, "connection", id], url, initial);
  const { connection, acts } = live.data;
  const path = `/t/${tenant}/settings`;
  return (
    <>
      <PageHead
        title={`Connection ${name}`}
        here={name}
        crumbs={[
          { label: "Settings", href: path },
          { label: "Connections", href: `${path}/connections` },
        ]}
        badge={<ConnectionBadges connection={connection} />}
        action={<Link href={`${path}/connections/${id}/capabilities`}>Capabilities</Link>}
        note={`Adapter ${connection.adapter} · environment ${connection.environment}`}
      />
      <div className={classes.list}>
        {live.failed ? (
          <ListError failed={live.failed} again={live.again}>
            Settings could not be loaded. The connection works all the same.
          </ListError>
        ) : null}
        {may.read ? <TestConnection tenant={tenant} url={url} again={live.again} /> : null}
        <div className={classes.columns}>
          <FactsPanel tenant={tenant} connection={connection} />
          <DeliveriesPanel
            page={live.data}
            url={url}
            address={address}
            maySave={may.save}
            again={live.again}
          />
          <PollingPanel
            key={`${connection.polling} ${connection.silentAfterMinutes}`}
            connection={connection}
            url={url}
            maySave={may.save}
            again={live.again}
          />
          <Acts acts={acts} />
        </div>
      </div>
    </>
  );
}

function Acts({ acts }: Pick<ConnectionPage, "acts">) {
  return (
    <section className={panels.panel} aria-label="What people did">
      <h2 className={panels.heading}>What people did</h2>
      {acts.length === 0 ? <p>Nothing yet.</p> : null}
      <dl className={panels.pairs}>
        {acts.map(({ id, at, by, sentence }) => (
          <Fragment key={id}>
            <dt>
              <TimeWithZone instant={at} kind="moment" form="one" />
            </dt>
            <dd>
              {sentence} By {by === null ? "somebody" : personWords(by)}.
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}
