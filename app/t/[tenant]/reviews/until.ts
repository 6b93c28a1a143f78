import { formatDuration } from "@/lib/domain/deadline";
import { epochOf, instantOf } from "@/lib/domain/zone";

/** What was chosen for "until": a length of time, or a moment of one's own in UTC. */
export interface UntilDraft {
  readonly choice: UntilChoice | "own";
  /** `2026-12-01T06:00`, as a date field gives it; only used with `own`. */
  readonly moment: string;
}

export type UntilChoice = "30m" | "1h" | "4h" | "1d";

const MINUTE = 60_000;

const LENGTHS: Record<UntilChoice, number> = {
  "30m": 30 * MINUTE,
  "1h": 60 * MINUTE,
  "4h": 240 * MINUTE,
  "1d": 1440 * MINUTE,
};

const WORDS: Record<UntilChoice, string> = {
  "30m": "30 min",
  "1h": "1 h",
  "4h": "4 h",
  "1d": "1 day",
};

interface UntilOption {
  readonly value: UntilChoice;
  readonly label: string;
  /** False where it would be longer than the item allows. */
  readonly open: boolean;
}

/** The lengths that are offered; those past the latest moment (milliseconds since 1970) stay visible and closed. */
export function untilOptions(
  choices: readonly UntilChoice[],
  now: string,
  latest: number,
): readonly UntilOption[] {
  return choices.map((value) => ({
    value,
    label: WORDS[value],
    open: epochOf(now) + LENGTHS[value] <= latest,
  }));
}

const OWN_MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** The instant that is meant (RFC 3339), or what is wrong with it in words. `latest`: milliseconds since 1970. */
export function untilOf(
  { choice, moment }: UntilDraft,
  now: string,
  latest: number,
): { readonly until: string } | { readonly problem: string } {
  if (choice !== "own") return checked(epochOf(now) + LENGTHS[choice], now, latest);
  if (!OWN_MOMENT.test(moment)) return { problem: "Give a date and a time." };
  return checked(Date.parse(`${moment}:00Z`), now, latest);
}

function checked(epoch: number, now: string, latest: number) {
  if (!Number.isFinite(epoch)) return { problem: "Give a date and a time." };
  if (epoch <= epochOf(now)) return { problem: "This moment has passed." };
  if (epoch > latest) {
    const left = formatDuration(Math.max(0, latest - epochOf(now)));
    return { problem: `At most ${left} from now: it must come back before something is lost.` };
  }
  return { until: instantOf(epoch) };
}
