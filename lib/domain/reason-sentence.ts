import { isReasonCode, REASONS } from "./reason";
import { filled, type SentenceValues } from "./sentence";

const PLACEHOLDER = /\{([a-z_]+)\}/g;

/**
 * The words of a reason for a place that must stay short: sentences whose values the record does not hold are left
 * out as long as another one remains. A code of a later release is shown as it is, never as an empty cell.
 */
export function reasonSentence(code: string, values: SentenceValues = {}): string {
  if (!isReasonCode(code)) return code;
  const whole = REASONS[code].sentence;
  const kept = whole.split(/(?<=[.!?"])\s+(?=[A-Z"{])/).filter((part) => isComplete(part, values));
  return filled(kept.length === 0 ? whole : kept.join(" "), values);
}

function isComplete(sentence: string, values: SentenceValues): boolean {
  const required = sentence.replaceAll(/\[[^\]]*\]/g, "");
  return [...required.matchAll(PLACEHOLDER)].every(([, name]) => {
    const value = name !== undefined && Object.hasOwn(values, name) ? values[name] : null;
    return value !== null && value !== undefined;
  });
}
