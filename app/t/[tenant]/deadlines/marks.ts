import { formatAge, formatDeadline, formatDuration } from "@/lib/domain/deadline";
import { addDays, epochOf, instantOf, localOf, resolveLocal } from "@/lib/domain/zone";
import type { DeadlineRow } from "@/lib/queries/deadlines-row";

export type MarkKind = "business" | "platform" | "remind" | "expire" | "unknown";

/** The letters of the legend. */
export const MARK_LETTERS: Record<MarkKind, string> = {
  business: "B",
  platform: "P",
  remind: "r",
  expire: "x",
  unknown: "!",
};

export const MARK_WORDS: Record<MarkKind, string> = {
  business: "business deadline",
  platform: "platform expiry",
  remind: "reminder",
  expire: "expiry by us",
  unknown: "unknown effect in flight",
};

/** One button of the timeline: the marks of a request that fall on the same instant. */
export interface Mark {
  readonly id: string;
  readonly ref: string;
  /** `B`, or `B=P` where several clocks agree. */
  readonly letters: string;
  readonly at: string;
  /** Day in the reading zone. */
  readonly day: string;
  /** Everything that the mark says, as the button's name. */
  readonly sentence: string;
  readonly unknown: boolean;
}

/** Reading zone, present and the zone's name for an axis. */
export interface Reading {
  readonly zone: string;
  readonly now: string;
}

export const TIMELINE_DAYS = 10;

/** The days of the axis in the reading zone: yesterday, today and what comes. */
export function axisDays({ zone, now }: Reading): readonly string[] {
  const today = localOf(zone, now).date;
  const noon = resolveLocal(zone, { date: today, time: "12:00" });
  const base = noon.kind === "one" ? noon.instant : now;
  return Array.from(
    { length: TIMELINE_DAYS },
    (_, place) => localOf(zone, addDays(zone, base, place - 1)).date,
  );
}

/** Everything that is known to happen to a request, by instant; clocks on the same instant are one mark. */
export function marksOf(row: DeadlineRow, reading: Reading): readonly Mark[] {
  const found = instantsOf(row, reading.now);
  const byInstant = new Map<number, (typeof found)[number][]>();
  for (const each of found) {
    const epoch = epochOf(each.at);
    byInstant.set(epoch, [...(byInstant.get(epoch) ?? []), each]);
  }
  return [...byInstant.entries()]
    .sort(([left], [right]) => left - right)
    .map(([epoch, marks]) => {
      const at = instantOf(epoch);
      return {
        id: `${row.ref} ${at}`,
        ref: row.ref,
        letters: marks.map(({ kind }) => MARK_LETTERS[kind]).join("="),
        at,
        day: localOf(reading.zone, at).date,
        sentence: sentenceOf(
          row,
          marks.map(({ kind }) => kind),
          at,
          reading,
        ),
        unknown: marks.some(({ kind }) => kind === "unknown"),
      };
    });
}

function instantsOf(row: DeadlineRow, now: string): { kind: MarkKind; at: string }[] {
  const found: { kind: MarkKind; at: string }[] = row.timers.map(({ kind, at }) => ({ kind, at }));
  if (row.businessDeadlineAt !== null) {
    found.push({ kind: "business", at: row.businessDeadlineAt });
  }
  if (row.platformExpiresAt !== null) found.push({ kind: "platform", at: row.platformExpiresAt });
  if (row.unknown) found.push({ kind: "unknown", at: now });
  return found.sort((left, right) => ORDER.indexOf(left.kind) - ORDER.indexOf(right.kind));
}

const ORDER: readonly MarkKind[] = ["business", "platform", "remind", "expire", "unknown"];

function sentenceOf(
  row: DeadlineRow,
  kinds: readonly MarkKind[],
  at: string,
  { zone, now }: Reading,
): string {
  const what = kinds.map((kind) => MARK_WORDS[kind]).join(" and ");
  if (kinds.includes("unknown")) return `${row.ref}: ${what} now.`;
  const also = zone === row.zone ? "UTC" : zone;
  const { line1, line2 } = formatDeadline(at, row.zone, now, also);
  const parts = [`${row.ref}: ${what} ${line1}`, line2];
  if (kinds.includes("platform") && row.readAt !== null) {
    parts.push(`as of ${formatAge(row.readAt, now)}`);
  }
  const apart = driftWords(row.driftMs);
  if (apart !== null && kinds.some((kind) => kind === "platform" || kind === "business")) {
    parts.push(`platform ${apart}`);
  }
  return `${parts.join(", ")}.`;
}

/** `3 h 30 min before ours`; null while the clocks agree. */
export function driftWords(driftMs: number | null): string | null {
  if (driftMs === null) return null;
  return `${formatDuration(driftMs)} ${driftMs < 0 ? "before" : "after"} ours`;
}

/** `+3 d 0 h`: positive when the platform ends it later. */
export function signedDrift(driftMs: number): string {
  return `${driftMs < 0 ? "\u2212" : "+"}${formatDuration(driftMs)}`;
}
