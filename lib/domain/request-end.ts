import type { CapabilityDescriptor } from "./capability";
import { TERMINAL_STATUSES, type TerminalStatus } from "./observation";
import { REQUEST_WORDS } from "./words";

/**
 * "This request is completed. Its deadline can no longer change."; null while it can. A status that the platform
 * lets go again (IN-5) ends nothing; without a descriptor every end is final.
 */
export function endedSentence(
  status: string,
  descriptor: CapabilityDescriptor | null,
): string | null {
  if (!(TERMINAL_STATUSES as readonly string[]).includes(status)) return null;
  const ended = status as TerminalStatus;
  if (descriptor?.terminal[ended] === "revivable") return null;
  const word = REQUEST_WORDS[ended].label.toLowerCase();
  return `This request is ${word}. Its deadline can no longer change.`;
}
