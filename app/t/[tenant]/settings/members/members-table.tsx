"use client";

import Link from "next/link";
import cards from "@/components/card-table.module.css";
import { TimeAgo } from "@/components/time-ago";
import { SIGN_IN_WORDS } from "@/lib/domain/member-acts";
import { ROLE_LABELS } from "@/lib/domain/role";
import { ownerWords } from "@/lib/domain/waiting";
import type { MemberRow } from "@/lib/queries/member-rows";

interface MembersTableProps {
  readonly tenant: string;
  readonly members: readonly MemberRow[];
  /** Whether each leads to a page on which something can be done. */
  readonly manages: boolean;
}

/** One row for each member, with what hangs on the person. */
export function MembersTable({ tenant, members, manages }: MembersTableProps) {
  return (
    <div className={cards.scroll}>
      <table className={cards.table}>
        <caption>Members</caption>
        <thead>
          <tr>
            <th scope="col">Member</th>
            <th scope="col">Role</th>
            <th scope="col">Signs in with</th>
            <th scope="col">Last seen</th>
            <th scope="col" className={cards.number}>
              Open items owned
            </th>
            <th scope="col" className={cards.number}>
              Approved, not started
            </th>
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <Row key={member.accountId} tenant={tenant} member={member} manages={manages} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps extends Omit<MembersTableProps, "members"> {
  readonly member: MemberRow;
}

function Row({ tenant, member, manages }: RowProps) {
  const { accountId, login, role, disabled, onCallNow, lastSeenAt } = member;
  const name = `${ownerWords(`account:${accountId}`)}${member.you ? " (you)" : ""}`;
  return (
    <tr>
      <th scope="row">
        {manages ? (
          <Link href={`/t/${tenant}/settings/members/${accountId}`} data-row>
            {name}
          </Link>
        ) : (
          name
        )}
        {login === null ? null : <span className={cards.second}>{login}</span>}
      </th>
      <td data-label="Role">
        {ROLE_LABELS[role]}
        {onCallNow ? ", on call now" : ""}
      </td>
      <td data-label="Signs in with">
        {disabled ? "Account is switched off" : SIGN_IN_WORDS[member.signIn]}
      </td>
      <td data-label="Last seen">
        {lastSeenAt === null ? "never" : <TimeAgo instant={lastSeenAt} />}
      </td>
      <td data-label="Open items owned" className={cards.number}>
        {member.openItems}
      </td>
      <td data-label="Approved, not started" className={cards.number}>
        {member.approvedWaiting}
      </td>
    </tr>
  );
}
