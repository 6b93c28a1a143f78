"use client";

import cards from "@/components/card-table.module.css";
import { StateBadge } from "@/components/state-badge";
import { TimeAgo } from "@/components/time-ago";
import type { ToldNotice } from "@/lib/queries/notice-settings-page";

/** The newest matters and whether somebody was reached. */
export function RecentNotices({ notices }: { readonly notices: readonly ToldNotice[] }) {
  if (notices.length === 0) return <p>Nobody was told of anything yet.</p>;
  return (
    <div className={cards.scroll}>
      <table className={cards.table}>
        <caption>Told last</caption>
        <thead>
          <tr>
            <th scope="col">Of what</th>
            <th scope="col">Came to</th>
            <th scope="col">Whom</th>
            <th scope="col">Since</th>
          </tr>
        </thead>
        <tbody>
          {notices.map((one) => (
            <tr key={one.id}>
              <th scope="row">{one.heading}</th>
              <td data-label="Came to">
                <StateBadge family="notice" code={one.state} />
              </td>
              <td data-label="Whom">{one.audience}</td>
              <td data-label="Since">
                <TimeAgo instant={one.openedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
