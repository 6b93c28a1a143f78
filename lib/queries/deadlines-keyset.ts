import type { DeadlineOrder } from "@/lib/domain/deadline-order";
import { Prisma } from "@/lib/store/prisma/client";

/** Stands for a clock that a request does not have, so that it comes last and still has a place. */
const NEVER = Prisma.sql`'9999-01-01Z'::timestamptz`;

/** What comes first of business deadline and platform expiry; word for word the expression of its index. */
export const EARLIEST = Prisma.sql`coalesce(least(r.business_deadline_at, r.mirror_expires_at), ${NEVER})`;
export const BUSINESS = Prisma.sql`coalesce(r.business_deadline_at, ${NEVER})`;
export const PLATFORM = Prisma.sql`coalesce(r.mirror_expires_at, ${NEVER})`;

/** A part of the list that one index orders. The list is the stretches one after the other. */
export interface Stretch {
  readonly name: "clock" | "timed" | "untimed";
  readonly key: Prisma.Sql;
  /** Tables, with the requests as `r`. */
  readonly from: Prisma.Sql;
  readonly where: Prisma.Sql;
}

const REQUESTS = Prisma.sql`FROM requests r`;

/** Requests by their next timer; a later timer of the same request gives way to the first one. */
const TIMED: Stretch = {
  name: "timed",
  key: Prisma.sql`t.due_at`,
  from: Prisma.sql`FROM operations t JOIN requests r ON r.tenant_id = t.tenant_id AND r.ref = t.request_ref`,
  where: Prisma.sql`t.state = 'scheduled' AND t.kind IN ('remind', 'expire') AND NOT EXISTS (
    SELECT 1 FROM operations e WHERE e.tenant_id = t.tenant_id AND e.request_ref = t.request_ref
      AND e.state = 'scheduled' AND e.kind IN ('remind', 'expire') AND (e.due_at, e.op_id) < (t.due_at, t.op_id))`,
};

const UNTIMED: Stretch = {
  name: "untimed",
  key: EARLIEST,
  from: REQUESTS,
  where: Prisma.sql`NOT EXISTS (SELECT 1 FROM operations e WHERE e.tenant_id = r.tenant_id
    AND e.request_ref = r.ref AND e.state = 'scheduled' AND e.kind IN ('remind', 'expire'))`,
};

/** The stretches of the list in this order, each read by an index of open requests or open timers. */
export function stretchesOf(by: DeadlineOrder): readonly Stretch[] {
  if (by === "timer") return [TIMED, UNTIMED];
  const key = { earliest: EARLIEST, business: BUSINESS, platform: PLATFORM }[by];
  return [{ name: "clock", key, from: REQUESTS, where: Prisma.sql`true` }];
}

export interface Cursor {
  readonly stretch: Stretch["name"];
  readonly micros: string;
  readonly ref: string;
}

/** Reads a cursor of `cursorText`; null for anything else, which is then the first page. */
export function parseCursor(text: string | undefined): Cursor | null {
  const found = /^(clock|timed|untimed)_(-?\d{1,18})_([A-Za-z0-9_-]{3,60})$/.exec(text ?? "");
  if (found === null) return null;
  const [, stretch, micros = "", ref = ""] = found;
  return { stretch: stretch as Stretch["name"], micros, ref };
}

/** The place of a row, as it stands in `after=` and `before=`. */
export function cursorText(stretch: Stretch["name"], micros: string, ref: string): string {
  return `${stretch}_${micros}_${ref}`;
}

/** The instant that orders a row, in microseconds since 1970. */
export function microsOf({ key }: Stretch): Prisma.Sql {
  return Prisma.sql`(extract(epoch FROM ${key}) * 1000000)::bigint::text`;
}

/** Rows behind the cursor in the direction of reading. */
export function beyond({ key }: Stretch, cursor: Cursor, backwards: boolean): Prisma.Sql {
  const sign = Prisma.raw(backwards ? "<" : ">");
  const at = Prisma.sql`('epoch'::timestamptz + ${cursor.micros}::bigint * interval '1 microsecond')`;
  return Prisma.sql`(${key}, r.ref) ${sign} (${at}, ${cursor.ref})`;
}

/** ORDER BY in the direction of reading. */
export function orderOf({ key }: Stretch, backwards: boolean): Prisma.Sql {
  const direction = Prisma.raw(backwards ? "DESC" : "ASC");
  return Prisma.sql`${key} ${direction}, r.ref ${direction}`;
}
