"use client";

import { Button } from "@mantine/core";
import Link from "next/link";
import { useState } from "react";
import { useLive } from "@/components/frame/live";
import { ListEmpty, ListError } from "@/components/list-states";
import panels from "@/components/panel.module.css";
import type { NoticeSettingsPage } from "@/lib/queries/notice-settings-page";
import { EndpointForm, type MadeEndpoint } from "./endpoint-form";
import { EndpointTable } from "./endpoint-table";
import classes from "./notifications.module.css";
import { RecentNotices } from "./recent-notices";
import { SecretOnce } from "./secret-once";

interface NotificationsViewProps {
  readonly tenant: string;
  readonly initial: NoticeSettingsPage;
  readonly mayAct: boolean;
}

/** The places where a tenant is told, with what became of the last try, and the newest matters. */
export function NotificationsView({ tenant, initial, mayAct }: NotificationsViewProps) {
  const url = `/api/v1/t/${tenant}/notice-endpoints`;
  const live = useLive<NoticeSettingsPage>([tenant, "notice-endpoints"], url, initial);
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<MadeEndpoint | null>(null);
  const { mailIsOn, endpoints, recent } = live.data;
  const added = (endpoint: MadeEndpoint | null) => {
    setAdding(false);
    setMade(endpoint);
    live.again();
  };
  return (
    <div className={classes.list}>
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          Notifications could not be loaded. They go on.
        </ListError>
      ) : null}
      <p className={classes.mail}>
        {mailIsOn
          ? "Mail is on: people are told at the address of their login or one that they chose."
          : "Mail is off: no mail server is configured. People are told by their own chats and by the endpoints below only."}{" "}
        <Link href="/me">Your own settings</Link>
      </p>
      {made?.secret ? <SecretOnce secret={made.secret} hide={() => setMade(null)} /> : null}
      {endpoints.length === 0 ? (
        <ListEmpty>No endpoints. Add a chat or a webhook to be told there.</ListEmpty>
      ) : (
        <EndpointTable url={url} endpoints={endpoints} mayAct={mayAct} done={live.again} />
      )}
      {mayAct && !adding ? (
        <div>
          <Button onClick={() => setAdding(true)}>Add an endpoint</Button>
        </div>
      ) : null}
      {adding ? (
        <section className={panels.panel} aria-labelledby="add-endpoint">
          <h2 className={panels.heading} id="add-endpoint">
            Add an endpoint
          </h2>
          <EndpointForm url={url} done={added} cancel={() => setAdding(false)} />
        </section>
      ) : null}
      <RecentNotices notices={recent} />
    </div>
  );
}
