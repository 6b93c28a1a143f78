import type { CheckRow } from "@/lib/queries/history-checks-page";

/** What came of a check; what has not ended is never said to fit. */
export function resultWords({ state, chains, entries, seals, findings }: CheckRow): string {
  const looked = `Chains ${chains}, entries ${entries}, seals ${seals}`;
  switch (state) {
    case "waiting":
      return "Waits for a worker. This is not a pass.";
    case "running":
      return `${looked} so far. This is not a pass.`;
    case "failed":
      return `Stopped after chains ${chains}. No result; this is not a pass.`;
    case "done":
      return findings === 0 ? `${looked}: all fit.` : `${looked}: ${findings} do not fit.`;
  }
}
