"use client";

import Link from "next/link";
import { InlineMoment } from "@/components/inline-moment";
import panels from "@/components/panel.module.css";
import { TimeAgo } from "@/components/time-ago";
import { TimeWithZone } from "@/components/time-with-zone";
import { ownerWords } from "@/lib/domain/waiting";
import type { ConnectionFacts } from "@/lib/queries/connections-page";

interface FactsPanelProps {
  readonly tenant: string;
  readonly connection: ConnectionFacts;
}

/** Credentials by their date, reads, limits, owner. */
export function FactsPanel({ tenant, connection }: FactsPanelProps) {
  const { id, name, credentialsSetAt, createdAt, lastReadAt, reads, pausedAt, owner } = connection;
  const path = `/t/${tenant}`;
  return (
    <section className={panels.panel} aria-label="Platform">
      <h2 className={panels.heading}>Platform</h2>
      <dl className={panels.pairs}>
        <dt>Credentials</dt>
        <dd>
          set on <InlineMoment instant={credentialsSetAt} />; only workers can open them
        </dd>
        <dt>Connected</dt>
        <dd>
          <TimeWithZone instant={createdAt} kind="moment" form="one" />
        </dd>
        <dt>Last read</dt>
        <dd>{lastReadAt === null ? "never" : <TimeAgo instant={lastReadAt} />}</dd>
        <dt>Reads</dt>
        <dd>
          {reads.used} in the last hour,{" "}
          {reads.limit === null ? "no limit known" : `of ${reads.limit}`}
        </dd>
        <dt>Limits</dt>
        <dd>
          <Link href={`${path}/controls#limits`}>Quotas, rates and read budget</Link>
        </dd>
        <dt>New starts</dt>
        <dd>
          {pausedAt === null ? (
            "run"
          ) : (
            <>
              paused since <InlineMoment instant={pausedAt} />;{" "}
              <Link href={`${path}/controls`}>see the switch</Link>
            </>
          )}
        </dd>
        <dt>Owner</dt>
        <dd>{ownerWords(owner)}</dd>
        <dt>Events</dt>
        <dd>
          <Link href={`${path}/inbox?connection=${encodeURIComponent(name)}`}>What it told us</Link>
        </dd>
        <dt>Promises</dt>
        <dd>
          <Link href={`${path}/settings/connections/${id}/capabilities`}>
            What it can do, and what we do because of it
          </Link>
        </dd>
      </dl>
    </section>
  );
}
