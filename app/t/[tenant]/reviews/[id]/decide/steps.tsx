import classes from "./decide.module.css";

export const STEPS = ["Choose", "Consequence", "Reason", "Confirm with a fresh read"] as const;

export type Step = 1 | 2 | 3 | 4;

/** Where one is in the four steps; read as a list with the present one marked. */
export function Steps({ step }: { readonly step: Step }) {
  return (
    <ol className={classes.steps} aria-label={`Step ${step} of 4`}>
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
  );
}
