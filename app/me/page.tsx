import type { Metadata } from "next";
import Link from "next/link";
import { requirePerson } from "@/app/_server/session";
import { PlainPage } from "@/components/frame/plain-page";
import { SignOutButton } from "@/components/frame/sign-out-button";
import { formatMoment } from "@/lib/domain/deadline";
import { zoneNames } from "@/lib/domain/zone";
import { myNotices } from "@/lib/queries/my-notices";
import { hasPassword, openSessionsOf } from "@/lib/queries/session";
import { consoleContext } from "@/lib/runtime/console";
import { KeysSetting } from "./keys-setting";
import classes from "./me.module.css";
import { NoticeSetting } from "./notice-setting";
import { PasswordSetting } from "./password-setting";
import { SessionList } from "./session-list";
import { ThemeSetting } from "./theme-setting";
import { ZoneSetting } from "./zone-setting";

export const metadata: Metadata = { title: "Your settings" };

export default async function MePage() {
  const session = await requirePerson();
  const sessions = await openSessionsOf(consoleContext().db, session.accountId);
  const notices = await myNotices(consoleContext(), session.accountId);
  const ownPassword = await hasPassword(consoleContext().db, session.accountId);
  const rows = sessions.map(({ id, createdAt, expiresAt, lastSeenAt, byProvider }) => ({
    id,
    begun: formatMoment(createdAt),
    used: lastSeenAt === null ? null : formatMoment(lastSeenAt),
    ends: formatMoment(expiresAt),
    byProvider,
    current: id === session.sessionId,
  }));
  return (
    <PlainPage title="Your settings" actions={<SignOutButton />}>
      <p className={classes.who}>
        {session.login} · <Link href="/">Back to work</Link>
      </p>
      <section className={classes.section} aria-labelledby="zone-heading">
        <h2 id="zone-heading">My zone</h2>
        <ZoneSetting zone={session.zone} zones={zoneNames()} />
      </section>
      <section className={classes.section} aria-labelledby="look-heading">
        <h2 id="look-heading">Look and keys</h2>
        <ThemeSetting />
        <KeysSetting />
      </section>
      <section className={classes.section} aria-labelledby="notices-heading">
        <h2 id="notices-heading">Notifications</h2>
        <NoticeSetting initial={notices} login={session.login} zone={session.zone} />
      </section>
      {ownPassword ? (
        <section className={classes.section} aria-labelledby="password-heading">
          <h2 id="password-heading">Password</h2>
          <PasswordSetting />
        </section>
      ) : null}
      <section className={classes.section} aria-labelledby="sessions-heading">
        <h2 id="sessions-heading">Open sessions</h2>
        <SessionList rows={rows} />
      </section>
    </PlainPage>
  );
}
