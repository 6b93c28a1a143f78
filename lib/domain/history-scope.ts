import { z } from "zod";
import { canonicalText } from "./canonical";

const Instant = z.iso.datetime({
  offset: true,
  message: "needs a time such as 2026-11-01T00:00:00Z",
});

const OfRequest = z.strictObject({
  kind: z.literal("request"),
  ref: z.string().regex(/^[A-Za-z0-9_-]{3,60}$/),
});
const OfOperation = z.strictObject({ kind: z.literal("operation"), op: z.guid() });
const OfPeriod = z
  .strictObject({ kind: z.literal("period"), from: Instant, to: Instant })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), {
    path: ["to"],
    message: "must be later than from",
  });

/** What an evidence pack is about. A period takes every operation with an entry from `from` until before `to`. */
export const PackScopeSchema = z.discriminatedUnion("kind", [OfRequest, OfOperation, OfPeriod]);

export type PackScope = z.infer<typeof PackScopeSchema>;

/** What a check of the history is about. */
export const CheckScopeSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("all") }),
  OfRequest,
  OfOperation,
  OfPeriod,
]);

export type CheckScope = z.infer<typeof CheckScopeSchema>;

/** The canonical text of a scope, as it is stored. */
export function scopeText(scope: CheckScope): string {
  return canonicalText(scope);
}

/** A scope as stored. Throws for a text that was not written by `scopeText`. */
export function parseScope(text: string): CheckScope {
  return CheckScopeSchema.parse(JSON.parse(text));
}

/** In words: "request lease_42", "from 2026-11-01T00:00:00Z until 2026-12-01T00:00:00Z". */
export function scopeWords(scope: CheckScope): string {
  switch (scope.kind) {
    case "all":
      return "the whole history";
    case "request":
      return `request ${scope.ref}`;
    case "operation":
      return `operation ${scope.op}`;
    case "period":
      return `from ${scope.from} until ${scope.to}`;
  }
}
