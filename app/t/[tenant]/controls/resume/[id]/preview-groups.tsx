"use client";

import Link from "next/link";
import classes from "@/app/t/[tenant]/controls/controls.module.css";
import panels from "@/components/panel.module.css";
import { TimeWithZone } from "@/components/time-with-zone";
import { KIND_WORDS } from "@/lib/domain/payload-words";
import { RESUME_WORDS } from "@/lib/domain/resume-preview";
import type { PreviewGroup } from "@/lib/queries/resume-preview";

interface PreviewGroupsProps {
  readonly tenant: string;
  readonly groups: readonly PreviewGroup[];
}

/** Every group with its count; the operations of each can be opened out. */
export function PreviewGroups({ tenant, groups }: PreviewGroupsProps) {
  return (
    <section className={panels.panel} aria-labelledby="groups">
      <h2 className={panels.heading} id="groups">
        What happens to what is held
      </h2>
      <div className={panels.scroll}>
        <table className={panels.table}>
          <caption className={panels.hidden}>Groups of the resume preview</caption>
          <thead>
            <tr>
              <th scope="col">Group</th>
              <th scope="col" className={panels.number}>
                Count
              </th>
              <th scope="col">What happens</th>
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <GroupRow key={group.group} tenant={tenant} group={group} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function GroupRow({ tenant, group }: { readonly tenant: string; readonly group: PreviewGroup }) {
  const { label, note } = RESUME_WORDS[group.group];
  const more = group.count - group.items.length;
  return (
    <tr>
      <th scope="row">{label}</th>
      <td className={panels.number}>{group.count}</td>
      <td>
        {note}
        {group.into === null || group.count === 0 ? null : ` ${group.count} into ${group.into}.`}
        {group.items.length === 0 ? null : (
          <details>
            <summary>Show the operations</summary>
            <ul className={classes.reset}>
              {group.items.map((item) => (
                <li key={item.opId} className={classes.wide}>
                  <Link href={`/t/${tenant}/operations/${item.opId}`}>
                    {KIND_WORDS[item.kind as keyof typeof KIND_WORDS].verb} op{" "}
                    {item.opId.slice(0, 8)}
                  </Link>{" "}
                  of{" "}
                  <Link href={`/t/${tenant}/requests/${item.requestRef}`}>{item.requestRef}</Link>
                  {item.passedAt === null ? (
                    <>
                      , due <TimeWithZone instant={item.dueAt} kind="moment" form="one" />
                    </>
                  ) : (
                    <>
                      , {item.clock === "platform" ? "platform expiry" : "business deadline"}{" "}
                      <TimeWithZone instant={item.passedAt} kind="moment" form="one" />
                    </>
                  )}
                </li>
              ))}
              {more === 0 ? null : <li>and {more} more</li>}
            </ul>
          </details>
        )}
      </td>
    </tr>
  );
}
