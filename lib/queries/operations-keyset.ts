import { FINAL_STATES, OPERATION_STATES, type OperationState } from "@/lib/domain/operation";
import { Prisma } from "@/lib/store/prisma/client";

/**
 * A stretch of the list with an order of its own. `risk` has two: what is open by urgency, then what has ended by
 * time, so that its cost does not grow with the history of finished operations (C-10).
 */
export interface Stretch {
  readonly name: "open" | "ended" | "all";
  readonly states: readonly OperationState[];
  /** The sort keys as expressions, each of which the cursor carries as text. */
  readonly keys: readonly {
    readonly sql: Prisma.Sql;
    readonly text: Prisma.Sql;
    readonly type: string;
  }[];
  readonly descending: boolean;
}

/** Unknown and what a person decides first, then what is under way, then what waits. */
const RANK = Prisma.sql`CASE WHEN o.state IN ('needs_reconcile', 'reconciling', 'quarantined', 'needs_review') THEN 0
  WHEN o.state IN ('submitting', 'claimed') THEN 1 ELSE 2 END`;

/** When something is lost if nothing moves: the earlier of business deadline and platform expiry. */
const LOSES_AT = Prisma.sql`coalesce(least(r.business_deadline_at, r.mirror_expires_at), '9999-01-01Z'::timestamptz)`;

const CHANGED = {
  sql: Prisma.sql`o.changed_at`,
  text: Prisma.sql`(extract(epoch FROM o.changed_at) * 1000000)::bigint::text`,
  type: "moment",
};
const ID = { sql: Prisma.sql`o.op_id`, text: Prisma.sql`o.op_id::text`, type: "uuid" };

const OPEN_KEYS = [
  { sql: RANK, text: Prisma.sql`(${RANK})::text`, type: "integer" },
  {
    sql: LOSES_AT,
    text: Prisma.sql`(extract(epoch FROM ${LOSES_AT}) * 1000000)::bigint::text`,
    type: "moment",
  },
  ID,
];

const ENDED: readonly OperationState[] = FINAL_STATES;
const OPEN = OPERATION_STATES.filter((state) => !ENDED.includes(state));

/** The stretches of a list in this order, restricted to the states that are shown. */
export function stretchesOf(
  sort: "risk" | "changed" | "-changed",
  shown: readonly OperationState[],
): readonly Stretch[] {
  const byChange = { keys: [CHANGED, ID], descending: sort !== "changed" };
  if (sort !== "risk") return [{ name: "all", states: shown, ...byChange }];
  const open = OPEN.filter((state) => shown.includes(state));
  const ended = ENDED.filter((state) => shown.includes(state));
  return [
    { name: "open" as const, states: open, keys: OPEN_KEYS, descending: false },
    { name: "ended" as const, states: ended, ...byChange },
  ].filter(({ states }) => states.length > 0);
}

export interface Cursor {
  readonly stretch: Stretch["name"];
  readonly values: readonly string[];
}

/** Reads a cursor of `cursorText`; null for anything else, which is then the first page. */
export function parseCursor(text: string | undefined): Cursor | null {
  const [stretch, ...values] = (text ?? "").split("_");
  if (stretch !== "open" && stretch !== "ended" && stretch !== "all") return null;
  const shape = stretch === "open" ? /^\d_-?\d{1,18}_[0-9a-f-]{36}$/ : /^-?\d{1,18}_[0-9a-f-]{36}$/;
  return shape.test(values.join("_")) ? { stretch, values } : null;
}

/** The place of a row, as it stands in `after=` and `before=`. */
export function cursorText(stretch: Stretch, values: readonly string[]): string {
  return [stretch.name, ...values].join("_");
}

/** The columns that make a row's cursor, as one array of texts. */
export function cursorColumns(stretch: Stretch): Prisma.Sql {
  return Prisma.sql`ARRAY[${Prisma.join(stretch.keys.map(({ text }) => text))}]`;
}

/** Rows behind the cursor in the direction of reading. */
export function beyond(stretch: Stretch, cursor: Cursor, backwards: boolean): Prisma.Sql {
  const keys = Prisma.join(stretch.keys.map(({ sql }) => sql));
  const values = Prisma.join(
    stretch.keys.map(({ type }, place) => keyValue(type, cursor.values[place] ?? "")),
  );
  const sign = Prisma.raw(stretch.descending === backwards ? ">" : "<");
  return Prisma.sql`(${keys}) ${sign} (${values})`;
}

function keyValue(type: string, text: string): Prisma.Sql {
  if (type === "uuid") return Prisma.sql`${text}::uuid`;
  if (type === "integer") return Prisma.sql`${Number(text)}::integer`;
  return Prisma.sql`('epoch'::timestamptz + ${text}::bigint * interval '1 microsecond')`;
}

/** ORDER BY in the direction of reading. */
export function orderOf(stretch: Stretch, backwards: boolean): Prisma.Sql {
  const direction = Prisma.raw(stretch.descending === backwards ? "ASC" : "DESC");
  return Prisma.join(stretch.keys.map(({ sql }) => Prisma.sql`${sql} ${direction}`));
}
