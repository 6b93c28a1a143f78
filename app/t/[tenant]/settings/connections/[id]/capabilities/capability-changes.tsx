import cards from "@/components/card-table.module.css";
import panels from "@/components/panel.module.css";
import { personWords } from "@/components/person-words";
import { TimeWithZone } from "@/components/time-with-zone";
import type { CapabilityChangeEntry } from "@/lib/queries/connection-page";

/** Who changed what the platform is said to promise, before and after, the newest first (PL-2). */
export function CapabilityChanges({
  changes,
}: {
  readonly changes: readonly CapabilityChangeEntry[];
}) {
  return (
    <section className={panels.panel} aria-label="Changes">
      <h2 className={panels.heading}>Changes</h2>
      {changes.length === 0 ? <p>Nothing was changed since the connection was made.</p> : null}
      {changes.map((entry) => (
        <Change key={entry.id} entry={entry} />
      ))}
    </section>
  );
}

function Change({ entry: { at, by, fields } }: { readonly entry: CapabilityChangeEntry }) {
  const who = by === null ? "somebody" : personWords(by);
  return (
    <div className={cards.scroll}>
      <p>
        <TimeWithZone instant={at} kind="moment" form="one" /> by {who}
      </p>
      {fields === null ? <p>The record holds values that this release cannot read.</p> : null}
      {fields?.length === 0 ? <p>The text changed; its values are the same.</p> : null}
      {fields !== null && fields.length > 0 ? (
        <table className={cards.table}>
          <caption>What changed</caption>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Per operation</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ field, per, before, after }) => (
              <tr key={`${field} ${per}`}>
                <th scope="row">{field}</th>
                <td data-label="Per operation">{per}</td>
                <td data-label="Before">{before}</td>
                <td data-label="After">{after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </div>
  );
}
