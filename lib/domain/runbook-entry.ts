/** One section of the runbooks: what to think and what to do when a code or an alert is met (OP-4). */
export interface Runbook {
  /** What it says. */
  readonly means: string;
  /** What is certain about the effect at the platform. */
  readonly known: string;
  /** Where to look before anything else. */
  readonly first: string;
  readonly may: string;
  readonly mustNot: string;
  readonly escalate: string;
}

/** What the codes of one group have in common. */
export type RunbookBase = Omit<Runbook, "means" | "first">;

/** Makes entries that say what is their own and take the rest from their group. */
export function entriesOn(base: RunbookBase) {
  return (means: string, first: string, own: Partial<RunbookBase> = {}): Runbook => ({
    means,
    first,
    ...base,
    ...own,
  });
}
