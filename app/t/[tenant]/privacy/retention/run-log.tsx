"use client";

import classes from "@/app/t/[tenant]/privacy/privacy.module.css";
import cards from "@/components/card-table.module.css";
import panels from "@/components/panel.module.css";
import { TimeWithZone } from "@/components/time-with-zone";
import { CLASS_WORDS, RECORD_CLASSES, type RemovedCounts } from "@/lib/domain/retention";
import type { RunRow } from "@/lib/queries/retention-page";

/** What the last runs removed and what they left because it is held. */
export function RunLog({ runs }: { readonly runs: readonly RunRow[] }) {
  return (
    <section className={panels.panel} aria-labelledby="runs">
      <h2 id="runs" className={panels.heading}>
        Last runs
      </h2>
      {runs.length === 0 ? (
        <p className={classes.prose}>No run has removed anything yet.</p>
      ) : (
        <div className={cards.scroll}>
          <table className={cards.table}>
            <caption>Last runs</caption>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Removed</th>
                <th scope="col" className={cards.number}>
                  Held back
                </th>
              </tr>
            </thead>
            <tbody>
              {runs.map(({ id, at, removed, held }) => (
                <tr key={id}>
                  <th scope="row">
                    <TimeWithZone instant={at} kind="moment" form="one" />
                  </th>
                  <td data-label="Removed">{removedWords(removed)}</td>
                  <td data-label="Held back" className={cards.number}>
                    {held}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** "inbox 12, vault 3", or "nothing". */
function removedWords(removed: RemovedCounts): string {
  const parts = RECORD_CLASSES.filter((each) => removed[each] > 0).map(
    (each) => `${CLASS_WORDS[each].label.toLowerCase()} ${removed[each]}`,
  );
  return parts.length === 0 ? "nothing" : parts.join(", ");
}
