"use client";

import { useState } from "react";
import { useLive } from "@/components/frame/live";
import { ListError } from "@/components/list-states";
import type { MembersPage } from "@/lib/queries/members-page";
import { AddMember } from "./add-member";
import classes from "./members.module.css";
import { MembersTable } from "./members-table";
import { type NewAccount, PasswordOnce } from "./password-once";

interface MembersViewProps {
  readonly tenant: string;
  readonly initial: MembersPage;
  /** Whether the viewer may add, change and remove. */
  readonly manages: boolean;
}

/** Who has access, and a form for one more; only admins change anything. */
export function MembersView({ tenant, initial, manages }: MembersViewProps) {
  const url = `/api/v1/t/${tenant}/members`;
  const live = useLive<MembersPage>([tenant, "members"], url, initial);
  const [made, setMade] = useState<NewAccount | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  return (
    <div className={classes.page}>
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          Settings could not be loaded.
        </ListError>
      ) : null}
      {made === null ? null : <PasswordOnce made={made} hide={() => setMade(null)} />}
      <p role="status" className={classes.said}>
        {said}
      </p>
      <MembersTable tenant={tenant} members={live.data.members} manages={manages} />
      {manages ? (
        <AddMember
          url={url}
          done={(words, account) => {
            setMade(account);
            setSaid(words);
            live.again();
          }}
        />
      ) : null}
    </div>
  );
}
