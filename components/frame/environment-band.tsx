import classes from "./bands.module.css";

/** Says whether effects reach real signers. It cannot be dismissed. */
export function EnvironmentBand({ live }: { readonly live: boolean }) {
  return (
    <div role="note" className={`${classes.environment} ${live ? classes.live : ""}`}>
      {live
        ? "LIVE. Effects reach real signers."
        : "SANDBOX. Effects reach only the sandbox platform."}
    </div>
  );
}
