import { Prisma } from "@/lib/store/prisma/client";

/** An order of review items, each key as an expression that an index holds. */
export interface ReviewOrder {
  readonly by: Prisma.Sql;
  readonly keys: readonly { readonly sql: Prisma.Sql; readonly type: KeyType }[];
  readonly sign: "<" | ">";
}

type KeyType = "boolean" | "moment" | "number" | "uuid";

const LOSES = Prisma.sql`coalesce(i.loses_at, 'infinity'::timestamptz)`;

/** RV-4: breached first, then what is lost first, then consequence, then age; the index review_items_queue. */
export const QUEUE: ReviewOrder = {
  by: Prisma.sql`(NOT i.breached), ${LOSES}, i.consequence, i.opened_at, i.id`,
  keys: [
    { sql: Prisma.sql`(NOT i.breached)`, type: "boolean" },
    { sql: LOSES, type: "moment" },
    { sql: Prisma.sql`i.consequence`, type: "number" },
    { sql: Prisma.sql`i.opened_at`, type: "moment" },
    { sql: Prisma.sql`i.id`, type: "uuid" },
  ],
  sign: ">",
};

/** What left the queue last stands first; the index review_items_closed. */
export const CLOSED: ReviewOrder = {
  by: Prisma.sql`i.closed_at DESC, i.id DESC`,
  keys: [
    { sql: Prisma.sql`i.closed_at`, type: "moment" },
    { sql: Prisma.sql`i.id`, type: "uuid" },
  ],
  sign: "<",
};

const SHAPE: Record<KeyType, RegExp> = {
  boolean: /^[tf]$/,
  moment: /^(?:-?\d{1,18}|infinity)$/,
  number: /^\d$/,
  uuid: /^[0-9a-f-]{36}$/,
};

/** A column with the place of each row, as `beyond` reads it. */
export function placeOf({ keys }: ReviewOrder): Prisma.Sql {
  const texts = keys.map(({ sql, type }) => {
    if (type === "boolean") return Prisma.sql`CASE WHEN ${sql} THEN 't' ELSE 'f' END`;
    if (type !== "moment") return Prisma.sql`(${sql})::text`;
    return Prisma.sql`CASE WHEN isfinite(${sql}) THEN (extract(epoch FROM ${sql}) * 1000000)::bigint::text
      ELSE 'infinity' END`;
  });
  return Prisma.sql`concat_ws('_', ${Prisma.join(texts)})`;
}

/** The condition for rows behind a place; none for what is no place of this order: then it is the first page. */
export function beyond({ keys, sign }: ReviewOrder, place: string | undefined): Prisma.Sql[] {
  const texts = (place ?? "").split("_");
  const fits =
    texts.length === keys.length && keys.every(({ type }, at) => SHAPE[type].test(texts[at] ?? ""));
  if (!fits) return [];
  const columns = Prisma.join(keys.map(({ sql }) => sql));
  const values = Prisma.join(keys.map(({ type }, at) => keyValue(type, texts[at] ?? "")));
  return [Prisma.sql`(${columns}) ${Prisma.raw(sign)} (${values})`];
}

function keyValue(type: KeyType, text: string): Prisma.Sql {
  if (type === "boolean") return Prisma.sql`${text === "t"}::boolean`;
  if (type === "number") return Prisma.sql`${Number(text)}::smallint`;
  if (type === "uuid") return Prisma.sql`${text}::uuid`;
  if (text === "infinity") return Prisma.sql`'infinity'::timestamptz`;
  return Prisma.sql`('epoch'::timestamptz + ${text}::bigint * interval '1 microsecond')`;
}
