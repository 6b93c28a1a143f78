import cards from "@/components/card-table.module.css";
import { ownerWords } from "@/lib/domain/waiting";
import { type RuleDraft, whenWords } from "./rule-draft";

interface RulesTableProps {
  readonly rules: readonly RuleDraft[];
  readonly connections: readonly { readonly id: string; readonly name: string }[];
}

/** The rules as they hold, in the order in which they are asked; the reason's own owner comes last. */
export function RulesTable({ rules, connections }: RulesTableProps) {
  return (
    <div className={cards.scroll}>
      <table className={cards.table}>
        <caption>Routing rules, the first that fits wins</caption>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Fits</th>
            <th scope="col">Goes to</th>
            <th scope="col">Escalates to</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule, place) => (
            <tr key={rule.id}>
              <th scope="row">{place + 1}</th>
              <td data-label="Fits">{whenWords(rule, connections)}</td>
              <td data-label="Goes to">{ownerWords(rule.owner)}</td>
              <td data-label="Escalates to">
                {rule.escalateTo === null ? "the next in line" : ownerWords(rule.escalateTo)}
              </td>
              <td data-label="After">
                {rule.escalateAfterMinutes === ""
                  ? "its age limit"
                  : `${rule.escalateAfterMinutes} min`}
              </td>
            </tr>
          ))}
          <tr>
            <th scope="row">last</th>
            <td data-label="Fits">everything else</td>
            <td data-label="Goes to">the reason's own owner</td>
            <td data-label="Escalates to">the next in line</td>
            <td data-label="After">its age limit</td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}
