"use client";

import { Fragment, useState } from "react";
import classes from "@/app/t/[tenant]/settings/members/members.module.css";
import { useLive } from "@/components/frame/live";
import { PageHead } from "@/components/frame/page-head";
import { ListError } from "@/components/list-states";
import panels from "@/components/panel.module.css";
import { personWords } from "@/components/person-words";
import { TimeAgo } from "@/components/time-ago";
import { TimeWithZone } from "@/components/time-with-zone";
import { SIGN_IN_WORDS } from "@/lib/domain/member-acts";
import { ROLE_LABELS } from "@/lib/domain/role";
import type { MemberPage } from "@/lib/queries/member-page";
import { AccessPanel } from "./access-panel";
import { SessionsPanel } from "./sessions-panel";

interface MemberViewProps {
  readonly tenant: string;
  readonly initial: MemberPage;
}

/** One member: what hangs on the person, the role, open sessions, removal, and what admins did. */
export function MemberView({ tenant, initial }: MemberViewProps) {
  const { accountId } = initial.member;
  const url = `/api/v1/t/${tenant}/members/${accountId}`;
  const live = useLive<MemberPage>([tenant, "member", accountId], url, initial);
  const [said, setSaid] = useState<string | null>(null);
  // Somebody who is gone has no page any more; what was shown last stays under the sentence that says so.
  const [gone, setGone] = useState(false);
  const path = `/t/${tenant}/settings`;
  const name = `Member ${accountId.slice(0, 8)}`;
  const heard = (words: string) => {
    setSaid(words);
    live.again();
  };
  return (
    <>
      <PageHead
        title={name}
        here={accountId.slice(0, 8)}
        crumbs={[
          { label: "Settings", href: path },
          { label: "Members", href: `${path}/members` },
        ]}
        note={live.data.member.you ? "This is you." : null}
      />
      <div className={classes.page}>
        {live.failed && !gone ? (
          <ListError failed={live.failed} again={live.again}>
            Settings could not be loaded.
          </ListError>
        ) : null}
        <p role="status" className={classes.said}>
          {said}
        </p>
        {gone ? null : (
          <div className={classes.columns}>
            <Facts page={live.data} />
            <AccessPanel
              member={live.data.member}
              url={url}
              heard={heard}
              removed={(words) => {
                setSaid(words);
                setGone(true);
              }}
            />
            <SessionsPanel sessions={live.data.sessions} url={url} heard={heard} />
            <Acts page={live.data} />
          </div>
        )}
      </div>
    </>
  );
}

function Facts({ page }: { readonly page: MemberPage }) {
  const { member } = page;
  return (
    <section className={panels.panel} aria-label="Account">
      <h2 className={panels.heading}>Account</h2>
      <dl className={panels.pairs}>
        <dt>Signs in as</dt>
        <dd>{member.login}</dd>
        <dt>Signs in with</dt>
        <dd>{member.disabled ? "Account is switched off" : SIGN_IN_WORDS[member.signIn]}</dd>
        <dt>Role</dt>
        <dd>
          {ROLE_LABELS[member.role]}
          {member.onCallNow ? ", on call now" : ""}
        </dd>
        <dt>Member since</dt>
        <dd>
          <TimeWithZone instant={member.memberSince} kind="moment" form="one" />
        </dd>
        <dt>Last seen</dt>
        <dd>{member.lastSeenAt === null ? "never" : <TimeAgo instant={member.lastSeenAt} />}</dd>
        <dt>Open items owned</dt>
        <dd>{member.openItems}</dd>
        <dt>Approved, not started</dt>
        <dd>{member.approvedWaiting}</dd>
        <dt>Shifts to come</dt>
        <dd>{member.shifts}</dd>
      </dl>
    </section>
  );
}

function Acts({ page }: { readonly page: MemberPage }) {
  return (
    <section className={panels.panel} aria-label="What admins did">
      <h2 className={panels.heading}>What admins did</h2>
      {page.acts.length === 0 ? <p>Nothing yet.</p> : null}
      <dl className={panels.pairs}>
        {page.acts.map(({ id, at, by, sentence }) => (
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
