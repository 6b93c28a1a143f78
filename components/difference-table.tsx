import type { ReactNode } from "react";
import classes from "./difference-table.module.css";
import panel from "./panel.module.css";

export interface DifferenceSource {
  readonly name: string;
  /** Age or receipt under the name: "r_94, 38 s ago". */
  readonly about?: ReactNode;
}

export interface DifferenceRow {
  readonly label: string;
  /** One per source, in their order; null where a source says nothing about the field. */
  readonly values: readonly (ReactNode | null)[];
  /** True when the sources that speak do not agree. */
  readonly differs: boolean;
}

interface DifferenceTableProps {
  readonly caption: string;
  readonly sources: readonly DifferenceSource[];
  readonly rows: readonly DifferenceRow[];
}

/** Two to four accounts of the same thing, what differs first. The mark is a word of its own, not a colour. */
export function DifferenceTable({ caption, sources, rows }: DifferenceTableProps) {
  const ordered = [...rows.filter((row) => row.differs), ...rows.filter((row) => !row.differs)];
  return (
    <div className={panel.scroll}>
      <table className={`${panel.table} ${classes.table}`}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            {sources.map(({ name, about }) => (
              <th key={name} scope="col">
                {name}
                {about ? <div className={panel.dimmed}>{about}</div> : null}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ordered.map((row) => (
            <Row key={row.label} row={row} sources={sources} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly row: DifferenceRow;
  readonly sources: readonly DifferenceSource[];
}

function Row({ row, sources }: RowProps) {
  return (
    <tr className={row.differs ? classes.differs : classes.same}>
      <th scope="row">
        {row.differs ? (
          <>
            <span className={classes.mark} aria-hidden="true">
              ≠{" "}
            </span>
            <span className={panel.hidden}>differs: </span>
          </>
        ) : null}
        {row.label}
      </th>
      {sources.map(({ name }, place) => (
        <td key={name}>
          <span className={`${classes.cellName} ${panel.dimmed}`}>{name}</span>
          {row.values[place] ?? <span title="says nothing about this">–</span>}
        </td>
      ))}
    </tr>
  );
}
