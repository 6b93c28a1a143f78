"use client";

import { Button } from "@mantine/core";
import { useState } from "react";
import classes from "@/app/t/[tenant]/inbox/inbox.module.css";
import { AskedAct } from "@/app/t/[tenant]/outbox/asked-act";
import { useLive } from "@/components/frame/live";
import { PageHead } from "@/components/frame/page-head";
import { ListError } from "@/components/list-states";
import { StateBadge } from "@/components/state-badge";
import { useFreshRead } from "@/components/use-fresh-read";
import { replayWords } from "@/lib/domain/inbox-words";
import type { InboxEventPage } from "@/lib/queries/inbox-event-page";
import { ActsPanel, DeliveryPanel, OutcomePanel } from "./event-panels";
import { RawPanel } from "./raw-panel";
import { SaysTable } from "./says-table";

interface EventViewProps {
  readonly tenant: string;
  readonly initial: InboxEventPage;
  readonly may: { readonly replay: boolean; readonly raw: boolean; readonly read: boolean };
}

/** One event: what it says beside what a read and the ledger say, what came of it, and who looked. */
export function EventView({ tenant, initial, may }: EventViewProps) {
  const { id } = initial;
  const live = useLive<InboxEventPage>(
    [tenant, "inbox event", id],
    `/api/v1/t/${tenant}/inbox/${id}`,
    initial,
  );
  const event = live.data;
  const { webhookSays, requestRef, copies } = event;
  return (
    <>
      <PageHead
        title={`Event ${id.slice(0, 8)}`}
        crumbs={[{ label: "Inbox", href: `/t/${tenant}/inbox` }]}
        badge={
          <span className={classes.badges}>
            <StateBadge family="inbox" code={event.outcome} size="large" />
            {copies > 1 ? (
              <StateBadge family="inbox" code="duplicate" values={{ n: copies }} size="large" />
            ) : null}
          </span>
        }
        note={`${webhookSays.type}${requestRef === null ? "" : ` of ${requestRef}`}, ${
          event.source === "poll" ? "seen by a poll of" : "from"
        } ${event.connection}`}
      />
      <div className={classes.list}>
        {live.failed ? (
          <ListError failed={live.failed} again={live.again}>
            The event could not be loaded. It is recorded all the same.
          </ListError>
        ) : null}
        <Acts tenant={tenant} event={event} may={may} again={live.again} />
        <SaysTable event={event} />
        <div className={classes.columns}>
          <OutcomePanel tenant={tenant} event={event} />
          <DeliveryPanel tenant={tenant} event={event} />
          <RawPanel tenant={tenant} event={event} permitted={may.raw} again={live.again} />
          <ActsPanel acts={event.acts} />
        </div>
      </div>
    </>
  );
}

interface ActsProps {
  readonly tenant: string;
  readonly event: InboxEventPage;
  readonly may: EventViewProps["may"];
  again(): void;
}

function Acts({ tenant, event, may, again }: ActsProps) {
  const [said, setSaid] = useState<string | null>(null);
  const { id, requestRef } = event;
  return (
    <div className={classes.actions}>
      {requestRef !== null && may.read ? (
        <AskPlatform tenant={tenant} requestRef={requestRef} />
      ) : null}
      {may.replay ? (
        <AskedAct<{ result: string }>
          button="Replay event"
          question={`Replay event ${id.slice(0, 8)}?`}
          consequence="It takes the normal path. If it was applied before, nothing changes."
          keep="Leave it"
          url={`/api/v1/t/${tenant}/inbox/${id}/replays`}
          done={(answer) => {
            setSaid(answer ? `Replayed: ${replayWords(answer.result)}.` : LOST);
            again();
          }}
        />
      ) : null}
      <span role="status">{said}</span>
    </div>
  );
}

const LOST = "We did not hear back. What is shown below is the present state.";

/** Has a worker read the request; the answer appears in the table. */
function AskPlatform({
  tenant,
  requestRef,
}: {
  readonly tenant: string;
  readonly requestRef: string;
}) {
  const read = useFreshRead(tenant, requestRef);
  return (
    <>
      <Button variant="default" loading={read.state === "reading"} onClick={read.read}>
        Ask the platform now
      </Button>
      <output>
        {read.state === "read" ? "The platform answered; see below." : null}
        {read.state === "failed"
          ? (read.problem ?? "No answer yet. The read stays ordered and shows up here.")
          : null}
      </output>
    </>
  );
}
