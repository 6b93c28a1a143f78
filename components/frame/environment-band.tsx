import classes from "./bands.module.css";

interface EnvironmentBandProps {
  readonly live: boolean;
  /** Kinds that are not live; left out where no tenant is looked at. */
  readonly modes?: { readonly shadow: readonly string[]; readonly off: readonly string[] };
}

/** Says whether effects reach real signers, and which kinds do not get that far. It cannot be dismissed. */
export function EnvironmentBand({ live, modes = NONE }: EnvironmentBandProps) {
  const effects = live
    ? "LIVE. Effects reach real signers."
    : "SANDBOX. Effects reach only the sandbox platform.";
  return (
    <div role="note" className={`${classes.environment} ${live ? classes.live : ""}`}>
      {[effects, listed("Shadow", modes.shadow), listed("Off", modes.off)]
        .filter((text) => text !== "")
        .join(" ")}
    </div>
  );
}

const NONE = { shadow: [], off: [] } as const;

function listed(label: string, kinds: readonly string[]): string {
  return kinds.length === 0 ? "" : `${label}: ${kinds.join(", ")}.`;
}
