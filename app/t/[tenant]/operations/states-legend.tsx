import { StateBadge } from "@/components/state-badge";
import { OPERATION_STATES } from "@/lib/domain/operation";
import { filled } from "@/lib/domain/sentence";
import { OPERATION_WORDS } from "@/lib/domain/words";
import classes from "./operations.module.css";

/** What each state means, for who sees it for the first time. */
export function StatesLegend() {
  return (
    <details className={classes.legend}>
      <summary>What the states mean</summary>
      <dl>
        {OPERATION_STATES.map((state) => (
          <div key={state}>
            <dt>
              <StateBadge family="operation" code={state} />
            </dt>
            <dd>{filled(OPERATION_WORDS[state].sentence, {})}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
