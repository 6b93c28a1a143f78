"use client";

import Link from "next/link";
import { AskedAct } from "@/app/t/[tenant]/outbox/asked-act";
import classes from "@/app/t/[tenant]/privacy/privacy.module.css";
import cards from "@/components/card-table.module.css";
import panels from "@/components/panel.module.css";
import { personWords } from "@/components/person-words";
import { TimeWithZone } from "@/components/time-with-zone";
import type { HoldRow } from "@/lib/queries/hold-rows";
import { SetHold } from "./set-hold";

interface HoldsProps {
  readonly tenant: string;
  readonly holds: readonly HoldRow[];
  /** Of privacy in the API. */
  readonly url: string;
  readonly mayHold: boolean;
  heard(words: string): void;
}

/** What is kept beyond its time, by whose word and why. */
export function Holds({ tenant, holds, url, mayHold, heard }: HoldsProps) {
  return (
    <section className={panels.panel} aria-labelledby="holds">
      <h2 id="holds" className={panels.heading}>
        Legal holds
      </h2>
      {holds.length === 0 ? (
        <p className={classes.prose}>No holds. Records go when their time is over.</p>
      ) : (
        <div className={cards.scroll}>
          <table className={cards.table}>
            <caption>Legal holds</caption>
            <thead>
              <tr>
                <th scope="col">About</th>
                <th scope="col">Reason</th>
                <th scope="col">Set</th>
                <th scope="col">Lifted</th>
              </tr>
            </thead>
            <tbody>
              {holds.map((hold) => (
                <Row key={hold.id} {...{ hold, tenant, url, mayHold, heard }} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {mayHold ? <SetHold url={`${url}/holds`} heard={heard} /> : null}
    </section>
  );
}

interface RowProps extends Omit<HoldsProps, "holds"> {
  readonly hold: HoldRow;
}

function Row({ hold, tenant, url, mayHold, heard }: RowProps) {
  const { id, scope, about, reason, setBy, setAt, liftedBy, liftedAt } = hold;
  return (
    <tr>
      <th scope="row">
        {scope === "request" ? (
          <Link href={`/t/${tenant}/requests/${about}`} data-row>
            {about}
          </Link>
        ) : (
          <span className={classes.mono}>{about}</span>
        )}
        <span className={cards.second}>{scope === "request" ? "one request" : "one person"}</span>
      </th>
      <td data-label="Reason">{reason ?? "The reason was erased."}</td>
      <td data-label="Set">
        <div>
          <TimeWithZone instant={setAt} kind="moment" form="one" />
          <span className={cards.second}>by {personWords(setBy)}</span>
        </div>
      </td>
      <td data-label="Lifted">
        {liftedAt === null ? (
          <StandingHold {...{ id, about, url, mayHold, heard }} />
        ) : (
          <div>
            <TimeWithZone instant={liftedAt} kind="moment" form="one" />
            <span className={cards.second}>
              by {liftedBy === null ? "somebody" : personWords(liftedBy)}
            </span>
          </div>
        )}
      </td>
    </tr>
  );
}

interface StandingHoldProps extends Pick<HoldsProps, "url" | "mayHold" | "heard"> {
  readonly id: string;
  readonly about: string;
}

function StandingHold({ id, about, url, mayHold, heard }: StandingHoldProps) {
  if (!mayHold) return "It stands.";
  return (
    <AskedAct
      button="Lift hold"
      question={`Lift the hold on ${about}?`}
      consequence="Whatever is over its time goes with the next run. Erasures that it stopped can be confirmed."
      keep="Keep the hold"
      asksReason
      url={`${url}/holds/${id}/lifts`}
      done={(answer) =>
        heard(answer ? `The hold on ${about} is lifted.` : "We did not hear back. Look again.")
      }
    />
  );
}
