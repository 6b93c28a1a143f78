import classes from "@/app/t/[tenant]/settings/connections/connections.module.css";
import cards from "@/components/card-table.module.css";
import tones from "@/components/tones.module.css";
import type { CapabilityDescriptor } from "@/lib/domain/capability";
import { capabilityRows } from "@/lib/domain/capability-rows";
import { formatDay } from "@/lib/domain/deadline";

/** Field by field what a platform promises, how we know it, and what the ledger does because of it (PL-2). */
export function CapabilitiesTable({ descriptor }: { readonly descriptor: CapabilityDescriptor }) {
  const { evidence, asOf } = descriptor;
  return (
    <div className={cards.scroll}>
      <table className={cards.table}>
        <caption>Capabilities</caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Value</th>
            <th scope="col">Per operation</th>
            <th scope="col">Evidence</th>
            <th scope="col">As of</th>
            <th scope="col">What the ledger does because of it</th>
          </tr>
        </thead>
        <tbody>
          {capabilityRows(descriptor).map(({ field, value, per, does, unknown }) => (
            <tr key={`${field} ${per}`}>
              <th scope="row" className={classes.field}>
                {field}
              </th>
              <td data-label="Value">
                <div>
                  {value}
                  {unknown ? (
                    <span className={`${classes.unknown} ${tones.unknown}`} data-state="unknown">
                      unknown, treated as the safe case
                    </span>
                  ) : null}
                </div>
              </td>
              <td data-label="Per operation">{per}</td>
              <td data-label="Evidence">{evidence}</td>
              <td data-label="As of" className={classes.day}>
                {formatDay(asOf)}
              </td>
              <td data-label="What the ledger does">{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
