import classes from "./decide.module.css";
import type { Step } from "./decide-draft";

/** Takes the focus when a step begins that has no field to type in. */
export const STEP_HEADING = "decide-step";

const STEPS = ["Choose", "Consequence", "Reason", "Confirm with a fresh read"] as const;

/** Where one is in the four steps; read as a list with the present one marked. */
export function Steps({ step }: { readonly step: Step }) {
  return (
    <>
      <h2 id={STEP_HEADING} tabIndex={-1} className={classes.stepHeading}>
        Step {step} of 4: {STEPS[step - 1]}
      </h2>
      <ol className={classes.steps} aria-label="Steps">
        {STEPS.map((label, place) => {
          const number = place + 1;
          return (
            <li
              key={label}
              className={number < step ? classes.passed : undefined}
              aria-current={number === step ? "step" : undefined}
            >
              <span className={classes.number}>{number}</span> {label}
            </li>
          );
        })}
      </ol>
    </>
  );
}
