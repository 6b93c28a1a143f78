import type { ReactNode } from "react";
import panel from "./panel.module.css";

export interface ChangedField {
  readonly label: string;
  readonly before: ReactNode;
  readonly after: ReactNode;
  /** `+ 3 d 0 h`, "re-planned"; left out where the values speak for themselves. */
  readonly step?: string;
  /** True when both sides are the same; such fields are folded away. */
  readonly same?: boolean;
}

interface BeforeAfterProps {
  readonly caption: string;
  readonly fields: readonly ChangedField[];
  readonly beforeLabel?: string;
  readonly afterLabel?: string;
}

/** What a change would change, field by field; what stays the same is folded. */
export function BeforeAfter(props: BeforeAfterProps) {
  const { caption, fields, beforeLabel = "Before", afterLabel = "After" } = props;
  const changing = fields.filter(({ same }) => !same);
  const staying = fields.filter(({ same }) => same);
  return (
    <div>
      <div className={panel.scroll}>
        <table className={panel.table}>
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">{beforeLabel}</th>
              <th scope="col">{afterLabel}</th>
              <th scope="col">Step</th>
            </tr>
          </thead>
          <tbody>
            {changing.map((field) => (
              <Row key={field.label} field={field} />
            ))}
          </tbody>
        </table>
      </div>
      {staying.length === 0 ? null : (
        <details>
          <summary>
            Same: {staying.length} {staying.length === 1 ? "field" : "fields"}
          </summary>
          <dl className={panel.pairs}>
            {staying.map(({ label, after }) => (
              <div key={label} style={{ display: "contents" }}>
                <dt>{label}</dt>
                <dd>{after}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </div>
  );
}

function Row({ field }: { readonly field: ChangedField }) {
  return (
    <tr>
      <th scope="row">{field.label}</th>
      <td>{field.before}</td>
      <td>
        <strong>{field.after}</strong>
      </td>
      <td>{field.step ?? ""}</td>
    </tr>
  );
}
