"use client";

import { Button } from "@mantine/core";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useLive } from "@/components/frame/live";
import { PageHead } from "@/components/frame/page-head";
import { isTyping, singleKeysAreOn } from "@/components/frame/single-keys";
import { ListError } from "@/components/list-states";
import { StateBadge } from "@/components/state-badge";
import { TimeAgo } from "@/components/time-ago";
import { useFreshRead } from "@/components/use-fresh-read";
import { ViewTabs } from "@/components/view-tabs";
import { lookupSentence } from "@/lib/domain/promise-words";
import { endedSentence } from "@/lib/domain/request-end";
import type { RequestWordCode } from "@/lib/domain/words";
import type { RequestView } from "@/lib/queries/request-page";
import { NowBlock } from "./now-block";
import { ProposeMenu } from "./propose-menu";
import { RemindersTab } from "./reminders-tab";
import classes from "./request.module.css";
import { RequestClocks } from "./request-clocks";
import { OperationsTab, ReadsTab, SignersTab } from "./request-tab-panels";
import type { RequestTab } from "./request-tabs";

interface RequestDetailProps {
  readonly tenant: string;
  readonly initial: RequestView;
  readonly tab: RequestTab;
  readonly may: {
    readonly propose: boolean;
    readonly check: boolean;
    readonly reveal: boolean;
    /** Without a reason. */
    readonly revealFreely: boolean;
  };
}

/** What is true about one request now, what is planned, and what the reader may do. */
export function RequestDetail({ tenant, initial, tab, may }: RequestDetailProps) {
  const { ref } = initial;
  const path = `/t/${tenant}/requests/${ref}`;
  const live = useLive<RequestView>(
    [tenant, "request", ref],
    `/api/v1/t/${tenant}/requests/${ref}`,
    initial,
  );
  const view = live.data;
  const ended = endedSentence(view.status, view.descriptor);
  const offers = may.propose && ended === null;
  useExtendKey(offers ? `${path}/propose/extend` : null);
  return (
    <>
      <PageHead
        title={`Request ${ref}`}
        here={ref}
        crumbs={[{ label: "Requests", href: `/t/${tenant}/requests` }]}
        badge={<StatusNow tenant={tenant} view={view} />}
        action={offers ? <ProposeMenu path={path} /> : undefined}
        note={<Note tenant={tenant} view={view} />}
      />
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          The request could not be loaded.
        </ListError>
      ) : null}
      {ended === null ? null : <p className={classes.ended}>{ended}</p>}
      <div className={classes.blocks}>
        <RequestClocks view={view} />
        <NowBlock tenant={tenant} view={view} mayCheck={may.check} />
        <section aria-label="Details">
          <ViewTabs label="Parts of this request" tabs={tabsOf(path, tab, view)} />
          {tab === "operations" ? <OperationsTab tenant={tenant} view={view} /> : null}
          {tab === "signers" ? (
            <SignersTab
              tenant={tenant}
              view={view}
              mayReveal={may.reveal}
              asksReason={!may.revealFreely}
            />
          ) : null}
          {tab === "reminders" ? <RemindersTab tenant={tenant} view={view} /> : null}
          {tab === "reads" ? <ReadsTab view={view} /> : null}
        </section>
      </div>
    </>
  );
}

/** The status with the age of its read, and the way to a newer one. */
function StatusNow({ tenant, view }: { readonly tenant: string; readonly view: RequestView }) {
  const read = useFreshRead(tenant, view.ref);
  const { status, signed, signerCount, rawStatus, readAt } = view;
  return (
    <span className={classes.status}>
      <StateBadge
        family="request"
        code={status as RequestWordCode}
        values={{ k: signed, n: signerCount, raw: rawStatus }}
        size="large"
      />
      {readAt === null ? null : (
        <span>
          as of <TimeAgo instant={readAt} />
        </span>
      )}
      <Button
        size="compact-xs"
        variant="default"
        loading={read.state === "reading"}
        onClick={read.read}
      >
        Read again
      </Button>
      <output>
        {read.state === "failed"
          ? (read.problem ?? "No answer yet. The read stays ordered and shows up here.")
          : null}
      </output>
    </span>
  );
}

/** Where it lives, what that platform promises, and what it told us. */
function Note({ tenant, view }: { readonly tenant: string; readonly view: RequestView }) {
  const { connection, descriptor, revision, ref } = view;
  const name = `${connection.name}${connection.sandbox ? " (sandbox)" : ""}`;
  return (
    <>
      Connection {name} · {lookupSentence(descriptor)} · contract revision {revision} ·{" "}
      <Link href={`/t/${tenant}/inbox?request=${ref}`}>Events of {ref}</Link>
    </>
  );
}

function tabsOf(path: string, tab: RequestTab, view: RequestView) {
  const one = (name: RequestTab, label: string, count: number) => ({
    label,
    count,
    href: name === "operations" ? path : `${path}?tab=${name}`,
    active: tab === name,
  });
  return [
    one("operations", "Operations", view.operations.length),
    one("signers", "Signers", view.signers.length),
    one("reminders", "Reminders", view.operations.filter(({ kind }) => kind === "remind").length),
    one("reads", "Reads", view.reads.length),
  ];
}

/** `e` opens the form for a new deadline. */
function useExtendKey(address: string | null): void {
  const router = useRouter();
  useEffect(() => {
    if (address === null) return;
    const listener = (event: KeyboardEvent) => {
      if (event.key !== "e" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!isTyping(event.target) && singleKeysAreOn()) router.push(address);
    };
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, [address, router]);
}
