import { z } from "zod";
import {
  FINAL_STATES,
  OPERATION_KINDS,
  OPERATION_STATES,
  type OperationState,
} from "@/lib/domain/operation";
import { parseAge } from "@/lib/domain/qualifier";

/** PostgreSQL holds no NUL in a text. */
const Text = z
  .string()
  .max(200)
  .refine((text) => !text.includes("\0"));

/** `a,b` or a repeated parameter; a value that is not on the list is left out, as it can match nothing new. */
function listOf<const Value extends string>(allowed: readonly Value[]) {
  return z
    .union([Text, z.array(Text)])
    .optional()
    .transform((given): readonly Value[] => {
      const words = [given ?? []].flat().flatMap((each) => each.split(","));
      return allowed.filter((value) => words.includes(value));
    });
}

export const OPERATION_SIZES = [50, 100, 200] as const;

/** Filters, order and place of the list of operations, the same in its URL and in the API. */
export const OperationsQuerySchema = z.object({
  state: listOf(OPERATION_STATES),
  kind: listOf(OPERATION_KINDS),
  reason: Text.optional(),
  connection: Text.optional(),
  request: Text.optional(),
  /** `>1h`: in its state for longer than that. */
  age: Text.optional().transform((text) => (text === undefined ? null : parseAge(text))),
  /** An op id or its beginning, a request reference, or an operation key. */
  q: Text.optional(),
  sort: z.enum(["risk", "changed", "-changed"]).optional(),
  size: z.coerce
    .number()
    .pipe(z.union(OPERATION_SIZES.map((size) => z.literal(size))))
    .default(50),
  after: Text.optional(),
  before: Text.optional(),
  /** Ids that the page shows already and wants the present data of, wherever they have moved to. */
  also: Text.or(z.string().max(10_000))
    .optional()
    .transform((ids) => (ids ?? "").split(",").filter((id) => z.guid().safeParse(id).success)),
});

export type OperationsQuery = z.output<typeof OperationsQuerySchema>;

const FINAL: readonly OperationState[] = FINAL_STATES;

/** States that the filters let through; without a filter all of them. */
export function statesOf(query: OperationsQuery): readonly OperationState[] {
  return query.state.length === 0 ? OPERATION_STATES : query.state;
}

/** Unknown and review first while any open state is shown, else what changed last. */
export function sortOf(query: OperationsQuery): "risk" | "changed" | "-changed" {
  if (query.sort !== undefined) return query.sort;
  return statesOf(query).some((state) => !FINAL.includes(state)) ? "risk" : "-changed";
}
