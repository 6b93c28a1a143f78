"use client";

import { AskedAct } from "@/app/t/[tenant]/outbox/asked-act";
import classes from "@/app/t/[tenant]/settings/members/members.module.css";
import cards from "@/components/card-table.module.css";
import panels from "@/components/panel.module.css";
import { TimeAgo } from "@/components/time-ago";
import { TimeWithZone } from "@/components/time-with-zone";
import type { OpenSessionRow } from "@/lib/queries/session";

interface SessionsPanelProps {
  readonly sessions: readonly OpenSessionRow[];
  /** Of the member in the API. */
  readonly url: string;
  heard(words: string): void;
}

const CONSEQUENCE =
  "Acts at once and in every tenant of the account. The person can sign in again; drafts stay.";
const LOST = "We did not hear back. What is shown here is the present state.";

/** Every session that could act in this person's name, with a way to end one or all. */
export function SessionsPanel({ sessions, url, heard }: SessionsPanelProps) {
  return (
    <section className={panels.panel} aria-label="Open sessions">
      <h2 className={panels.heading}>Open sessions</h2>
      <div className={classes.stack}>
        {sessions.length === 0 ? <p>None.</p> : <Sessions {...{ sessions, url, heard }} />}
        {sessions.length < 2 ? null : (
          <AskedAct<{ ended: number }>
            button={`End all ${sessions.length} sessions`}
            question={`End all ${sessions.length} open sessions?`}
            consequence={CONSEQUENCE}
            keep="Keep them open"
            danger
            url={`${url}/session-ends`}
            body={{ sessionId: null }}
            done={(answer) => heard(answer ? `Sessions ended: ${answer.ended}.` : LOST)}
          />
        )}
      </div>
    </section>
  );
}

function Sessions({ sessions, url, heard }: SessionsPanelProps) {
  return (
    <div className={cards.scroll}>
      <table className={cards.table}>
        <caption>Open sessions</caption>
        <thead>
          <tr>
            <th scope="col">Begun</th>
            <th scope="col">Last used</th>
            <th scope="col">With</th>
            <th scope="col">Ends by itself</th>
            <th scope="col">End</th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <tr key={session.id}>
              <th scope="row">
                <TimeWithZone instant={session.createdAt} kind="moment" form="one" />
              </th>
              <td data-label="Last used">
                {session.lastSeenAt === null ? "never" : <TimeAgo instant={session.lastSeenAt} />}
              </td>
              <td data-label="With">{session.byProvider ? "identity provider" : "password"}</td>
              <td data-label="Ends by itself">
                <TimeWithZone instant={session.expiresAt} kind="moment" form="one" />
              </td>
              <td data-label="End">
                <AskedAct
                  button="End session"
                  question="End this session?"
                  consequence={CONSEQUENCE}
                  keep="Keep it open"
                  danger
                  url={`${url}/session-ends`}
                  body={{ sessionId: session.id }}
                  done={(answer) => heard(answer ? "Session ended." : LOST)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
