"use client";

import Link from "next/link";
import cards from "@/components/card-table.module.css";
import { useLive } from "@/components/frame/live";
import { ListEmpty, ListError } from "@/components/list-states";
import { TimeAgo } from "@/components/time-ago";
import { POLLING_WORDS } from "@/lib/domain/connection-acts";
import { ownerWords } from "@/lib/domain/waiting";
import type { ConnectionFacts, ConnectionsPage } from "@/lib/queries/connections-page";
import { ConnectionBadges } from "./connection-badges";
import classes from "./connections.module.css";

interface ConnectionsViewProps {
  readonly tenant: string;
  readonly initial: ConnectionsPage;
}

/** Every platform connection with its health, its reads and when it last told something. */
export function ConnectionsView({ tenant, initial }: ConnectionsViewProps) {
  const live = useLive<ConnectionsPage>(
    [tenant, "connections"],
    `/api/v1/t/${tenant}/connections`,
    initial,
  );
  const { connections } = live.data;
  return (
    <div className={classes.list}>
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          Settings could not be loaded.
        </ListError>
      ) : null}
      {connections.length === 0 ? (
        <ListEmpty>No connections. The installation's operator adds one.</ListEmpty>
      ) : (
        <div className={cards.scroll}>
          <table className={cards.table}>
            <caption>Connections</caption>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Health</th>
                <th scope="col">Environment</th>
                <th scope="col">Last read</th>
                <th scope="col" className={cards.number}>
                  Reads in the last hour
                </th>
                <th scope="col">Last delivery</th>
                <th scope="col">Secrets</th>
                <th scope="col">Polling</th>
                <th scope="col">Owner</th>
              </tr>
            </thead>
            <tbody>
              {connections.map((one) => (
                <Row key={one.id} tenant={tenant} one={one} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

function Row({ tenant, one }: { readonly tenant: string; readonly one: ConnectionFacts }) {
  const { id, name, environment, lastReadAt, reads, lastDeliveryAt, secrets } = one;
  return (
    <tr>
      <th scope="row">
        <Link href={`/t/${tenant}/settings/connections/${id}`} data-row>
          {name}
        </Link>
      </th>
      <td data-label="Health">
        <ConnectionBadges connection={one} />
      </td>
      <td data-label="Environment">{environment}</td>
      <td data-label="Last read">
        {lastReadAt === null ? "never" : <TimeAgo instant={lastReadAt} />}
      </td>
      <td data-label="Reads in the last hour" className={cards.number}>
        {reads.used} / {reads.limit ?? "no limit known"}
      </td>
      <td data-label="Last delivery">
        {lastDeliveryAt === null ? "never" : <TimeAgo instant={lastDeliveryAt} />}
      </td>
      <td data-label="Secrets">{secretWords(secrets.length)}</td>
      <td data-label="Polling">{POLLING_WORDS[one.polling]}</td>
      <td data-label="Owner">{ownerWords(one.owner)}</td>
    </tr>
  );
}

function secretWords(count: number): string {
  if (count === 0) return "none: deliveries are refused";
  return count === 1 ? "1 active" : `${count} active, a rotation is under way`;
}
