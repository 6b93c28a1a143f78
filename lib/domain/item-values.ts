import { formatDuration, formatMoment } from "./deadline";
import type { OperationState } from "./operation";
import type { SentenceValues } from "./sentence";
import { OPERATION_WORDS, REQUEST_WORDS, type RequestWordCode } from "./words";
import { epochOf, instantOf } from "./zone";

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/**
 * What the sentence of an item's reason can say by the evidence that the item was opened with and by the event that it
 * is about: figures as they are, statuses and states in words, moments in UTC. Everything else stays out.
 */
export function itemValues(
  evidence: unknown,
  event: { readonly type: string | null; readonly receivedAt: string | null },
  now: string,
): SentenceValues {
  const given = typeof evidence === "object" && evidence !== null ? evidence : {};
  const values = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const words = wordsOf(value);
      return words === null ? [] : [[name, words]];
    }),
  );
  const { type, receivedAt } = event;
  return {
    ...values,
    ...(values.would_be === undefined ? {} : { outcome: values.would_be }),
    ...(type === null ? {} : { type }),
    ...(receivedAt === null ? {} : { age: formatDuration(epochOf(now) - epochOf(receivedAt)) }),
  };
}

function wordsOf(value: unknown): string | number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return null;
  if (Object.hasOwn(REQUEST_WORDS, value)) return REQUEST_WORDS[value as RequestWordCode].label;
  if (Object.hasOwn(OPERATION_WORDS, value)) return OPERATION_WORDS[value as OperationState].label;
  const at = INSTANT.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? value : formatMoment(instantOf(at - (at % 1_000)));
}
