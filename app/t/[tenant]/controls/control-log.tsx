"use client";

import cards from "@/components/card-table.module.css";
import panels from "@/components/panel.module.css";
import { personWords } from "@/components/person-words";
import { TimeWithZone } from "@/components/time-with-zone";
import type { ControlEntry } from "@/lib/queries/controls-page";

/** Who changed how the ledger runs, newest first. Entries are never changed. */
export function ControlLog({ log }: { readonly log: readonly ControlEntry[] }) {
  return (
    <section className={panels.panel} aria-labelledby="control-log">
      <h2 className={panels.heading} id="control-log">
        Log
      </h2>
      {log.length === 0 ? (
        <p>Nobody has changed anything yet.</p>
      ) : (
        <div className={cards.scroll}>
          <table className={cards.table}>
            <caption>What was changed, the newest 50</caption>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">What</th>
                <th scope="col">By</th>
              </tr>
            </thead>
            <tbody>
              {log.map((entry) => (
                <tr key={entry.id}>
                  <th scope="row">
                    <TimeWithZone instant={entry.at} kind="moment" />
                  </th>
                  <td data-label="What">{entry.sentence}</td>
                  <td data-label="By">{personWords(entry.by)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
