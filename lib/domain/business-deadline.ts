import { z } from "zod";
import { formatDay, formatDuration, formatOffset, formatUtc, LOCAL_CHOICES } from "./deadline";
import {
  epochOf,
  instantOf,
  isInstant,
  isLocalTime,
  isZone,
  type LocalTime,
  type Resolution,
  type ResolvedMoment,
  resolveLocal,
  ZONE_DATA_VERSION,
} from "./zone";

/** An instant as payloads hold it: RFC 3339 in UTC, brought into the one spelling that has one hash. */
export const InstantSchema = z
  .string()
  .refine(isInstant, { error: "not an RFC 3339 instant in UTC", abort: true })
  .overwrite((text) => (isInstant(text) ? instantOf(epochOf(text)) : text));

/**
 * A business deadline as it is approved (TM-1, TM-2): the words that a person chose, the zone, the answer to a
 * change of the clock, and the one instant that they mean under the named rules.
 */
export const BusinessDeadlineSchema = z.strictObject({
  date: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  time: z.string().regex(/^\d\d:\d\d(?::\d\d)?$/),
  zone: z.string().min(1).max(64),
  choice: z.enum(LOCAL_CHOICES),
  instant: InstantSchema,
  offset: z.string().regex(/^[+-]\d\d:\d\d$/),
  zoneData: z.string().regex(/^\d{4}[a-z]+$/),
});

export type BusinessDeadline = z.infer<typeof BusinessDeadlineSchema>;

export interface DeadlineWish extends LocalTime {
  readonly zone: string;
  /** The answer to a gap or an overlap; ignored where the time exists exactly once. */
  readonly choice?: BusinessDeadline["choice"];
}

export interface DeadlineOption extends ResolvedMoment {
  readonly choice: Exclude<BusinessDeadline["choice"], "only">;
  /** The words of the radio button. */
  readonly label: string;
}

export interface DeadlineQuestion {
  readonly needs: "gap" | "overlap";
  readonly sentence: string;
  readonly options: readonly [DeadlineOption, DeadlineOption];
}

export interface DeadlineRefusal {
  readonly refused: "zone_unknown" | "local_time_unreadable" | "deadline_in_past";
}

/**
 * Turns chosen words into the one instant they mean, at `now` (RFC 3339). A local time that does not exist or
 * exists twice comes back as a question until it carries its answer: nobody chooses for the approver (TM-2).
 */
export function answerDeadline(
  wish: DeadlineWish,
  now: string,
): BusinessDeadline | DeadlineQuestion | DeadlineRefusal {
  const { date, time, zone } = wish;
  if (!isZone(zone)) return { refused: "zone_unknown" };
  if (!isLocalTime(wish)) return { refused: "local_time_unreadable" };
  const found = resolveLocal(zone, wish);
  const options = optionsOf(found, zone);
  const chosen = options?.find(({ choice }) => choice === wish.choice) ?? null;
  const meant = found.kind === "one" ? found : chosen;
  if (meant === null && options !== null && found.kind !== "one") {
    return { needs: found.kind, sentence: questionOf(found, wish), options };
  }
  if (meant === null || epochOf(meant.instant) <= epochOf(now)) {
    return { refused: "deadline_in_past" };
  }
  return {
    date,
    time,
    zone,
    choice: chosen?.choice ?? "only",
    instant: meant.instant,
    offset: meant.offset,
    zoneData: ZONE_DATA_VERSION,
  };
}

/** `Chosen: the first 01:45.` for the approval page; null where there was nothing to choose. */
export function choiceWords(deadline: BusinessDeadline): string | null {
  const words: Record<BusinessDeadline["choice"], string | null> = {
    only: null,
    first: `Chosen: the first ${deadline.time}.`,
    second: `Chosen: the second ${deadline.time}.`,
    before_gap: `Chosen: the last second before ${deadline.time}, which does not exist.`,
    after_gap: `Chosen: the first moment after ${deadline.time}, which does not exist.`,
  };
  return words[deadline.choice];
}

function optionsOf(
  found: Resolution,
  zone: string,
): readonly [DeadlineOption, DeadlineOption] | null {
  if (found.kind === "one") return null;
  if (found.kind === "gap") {
    const [before, after] = [found.before, found.after];
    return [
      { ...before, choice: "before_gap", label: `Last second before: ${dayAndUtc(before, zone)}` },
      { ...after, choice: "after_gap", label: `First moment after: ${dayAndUtc(after, zone)}` },
    ];
  }
  const later = epochOf(found.second.instant) - epochOf(found.first.instant);
  const step = later === 3_600_000 ? "an hour" : formatDuration(later);
  return [
    { ...found.first, choice: "first", label: `First: ${timeAndUtc(found.first, zone)}` },
    {
      ...found.second,
      choice: "second",
      label: `Second, ${step} later: ${timeAndUtc(found.second, zone)}`,
    },
  ];
}

function questionOf(found: Exclude<Resolution, { kind: "one" }>, wish: DeadlineWish): string {
  const day = formatDay(wish.date);
  if (found.kind === "overlap") return `${wish.time} happens twice on ${day} in ${wish.zone}.`;
  const { before, after } = found;
  return `${wish.time} does not exist on ${day} in ${wish.zone}. Clocks go from ${before.local.time} to ${after.local.time}.`;
}

function timeAndUtc(moment: ResolvedMoment, zone: string): string {
  const utc = `${formatOffset(moment.instant, zone)} · ${formatUtc(moment.instant)}`;
  return `${moment.local.time} ${moment.abbr} (${utc})`;
}

function dayAndUtc(moment: ResolvedMoment, zone: string): string {
  return `${formatDay(moment.local.date)}, ${timeAndUtc(moment, zone)}`;
}
