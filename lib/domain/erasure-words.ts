import { ERASURE_STATE_WORDS, type ErasureState } from "./erasure";
import type { Tone, Word } from "./words";

function word(state: ErasureState, icon: string, tone: Tone): Word {
  return { ...ERASURE_STATE_WORDS[state], icon, tone };
}

/** Where an erasure stands, for its badge. */
export const ERASURE_WORDS: Record<ErasureState, Word> = {
  asked: word("asked", "hourglass", "wait"),
  confirmed: word("confirmed", "loader-circle", "work"),
  done: word("done", "circle-check", "good"),
  refused: word("refused", "circle-slash", "quiet"),
};

/** What a confirmation does, before it does it. */
export function erasureConsequence(openOperations: number): string {
  const operations =
    openOperations === 1 ? "1 open operation ends." : `${openOperations} open operations end.`;
  return `Cannot be undone. ${operations} History stays and verifies.`;
}
