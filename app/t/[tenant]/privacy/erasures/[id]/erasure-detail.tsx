"use client";

import Link from "next/link";
import classes from "@/app/t/[tenant]/privacy/privacy.module.css";
import { PageHead } from "@/components/frame/page-head";
import { InlineMoment } from "@/components/inline-moment";
import panels from "@/components/panel.module.css";
import { personWords } from "@/components/person-words";
import { StateBadge } from "@/components/state-badge";
import { DESTROYED_WORDS, type Destroyed, KEPT_WORDS } from "@/lib/domain/erasure";
import type { ErasureView } from "@/lib/queries/erasure-page";
import { Decide } from "./decide";
import { Outcome } from "./outcome";

export interface ErasureProps {
  readonly tenant: string;
  readonly view: ErasureView;
}

/** One erasure: what became of it, what it destroys, what stays, what is open, and the decision of a second person. */
export function ErasureDetail({ tenant, view }: ErasureProps) {
  const { willDestroy, destroyed, reason } = view;
  const counts = destroyed ?? willDestroy;
  return (
    <div className={classes.page}>
      <Head tenant={tenant} view={view} />
      <Outcome tenant={tenant} view={view} />
      <div className={classes.columns}>
        {counts === null ? null : (
          <section className={panels.panel} aria-labelledby="destroyed">
            <h2 id="destroyed" className={panels.heading}>
              {destroyed === null ? "What will be destroyed" : "What was destroyed"}
            </h2>
            <Counts counts={counts} />
          </section>
        )}
        <section className={panels.panel} aria-labelledby="stays">
          <h2 id="stays" className={panels.heading}>
            What stays
          </h2>
          <ul className={classes.list}>
            {KEPT_WORDS.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </section>
        <Open tenant={tenant} view={view} />
        <section className={panels.panel} aria-labelledby="why">
          <h2 id="why" className={panels.heading}>
            Why it was asked
          </h2>
          <p className={classes.prose}>{reason ?? "The reason was erased."}</p>
          <Requests tenant={tenant} view={view} />
        </section>
      </div>
      {view.state === "asked" ? <Decide tenant={tenant} view={view} /> : null}
    </div>
  );
}

function Head({ tenant, view }: ErasureProps) {
  const short = view.id.slice(0, 8);
  return (
    <PageHead
      title={`Erasure ${short}`}
      here={short}
      crumbs={[{ label: "Erasure requests", href: `/t/${tenant}/privacy/erasures` }]}
      badge={<StateBadge family="erasure" code={view.state} />}
      note={
        <>
          Subject {view.subjectRef}. Asked by {personWords(view.askedBy)},{" "}
          <InlineMoment instant={view.askedAt} />.
        </>
      }
    />
  );
}

function Counts({ counts }: { readonly counts: Destroyed }) {
  return (
    <ul className={classes.list}>
      {DESTROYED_WORDS.map(([key, one, many]) => (
        <li key={key}>
          {counts[key]} {counts[key] === 1 ? one : many}
        </li>
      ))}
    </ul>
  );
}

function Requests({ tenant, view }: ErasureProps) {
  if (view.requests.length === 0) return <p className={classes.prose}>Part of no request.</p>;
  return (
    <p className={classes.prose}>
      Part of{" "}
      {view.requests.map(({ ref, ended }, at) => (
        <span key={ref}>
          {at === 0 ? "" : ", "}
          <Link href={`/t/${tenant}/requests/${ref}`} className={classes.target}>
            {ref}
          </Link>
          {ended ? " (ended)" : ""}
        </span>
      ))}
      .
    </p>
  );
}

/** Operations that end with the erasure, and holds that keep it from happening. */
function Open({ tenant, view }: ErasureProps) {
  const { operations, holds } = view;
  return (
    <section className={panels.panel} aria-labelledby="open">
      <h2 id="open" className={panels.heading}>
        What is open
      </h2>
      {holds.map((hold) => (
        <p key={hold.id} className={classes.prose}>
          A hold on {hold.about} stands in the way, set by {personWords(hold.setBy)}
          {hold.reason === null ? "" : `: ${hold.reason}`}.{" "}
          <Link href={`/t/${tenant}/privacy/retention`} className={classes.target}>
            Lift it first
          </Link>
        </p>
      ))}
      {operations.length === 0 ? (
        <p className={classes.prose}>No operation of the person's requests is open.</p>
      ) : (
        <ul className={classes.list}>
          {operations.map(({ opId, kind, state, requestRef, itemId }) => (
            <li key={opId}>
              <Link href={`/t/${tenant}/operations/${opId}`} className={classes.target}>
                {kind} of {requestRef}
              </Link>{" "}
              <StateBadge family="operation" code={state} />
              {itemId === null ? null : (
                <>
                  {" "}
                  <Link href={`/t/${tenant}/reviews/${itemId}`} className={classes.target}>
                    who has it
                  </Link>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
