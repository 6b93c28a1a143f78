import type { Team } from "./team";
import { epochOf, instantOf } from "./zone";

/** When somebody of a team is on call; both instants RFC 3339, the later one not included. */
export interface Shift {
  readonly team: Team;
  readonly accountId: string;
  readonly startsAt: string;
  readonly endsAt: string;
}

/** A stretch of time, RFC 3339, without its end. */
export interface Stretch {
  readonly from: string;
  readonly until: string;
}

/** The accounts on call for a team at an instant; empty where the rota has a gap: then the whole team is. */
export function onCallAt(shifts: readonly Shift[], team: Team, at: string): readonly string[] {
  const now = epochOf(at);
  const covering = shifts.filter(
    (shift) => shift.team === team && epochOf(shift.startsAt) <= now && now < epochOf(shift.endsAt),
  );
  return [...new Set(covering.map(({ accountId }) => accountId))];
}

/** The gaps of a team's rota within a stretch, in order. A team without any shift has one gap: all of it. */
export function rotaGaps(
  shifts: readonly Shift[],
  team: Team,
  { from, until }: Stretch,
): readonly Stretch[] {
  const covered = shifts
    .filter((shift) => shift.team === team)
    .map(({ startsAt, endsAt }) => ({ start: epochOf(startsAt), end: epochOf(endsAt) }))
    .sort((a, b) => a.start - b.start);
  const gaps: Stretch[] = [];
  let reached = epochOf(from);
  const last = epochOf(until);
  for (const { start, end } of covered) {
    if (start > reached && reached < last) {
      gaps.push({ from: instantOf(reached), until: instantOf(Math.min(start, last)) });
    }
    reached = Math.max(reached, end);
  }
  if (reached < last) gaps.push({ from: instantOf(reached), until: instantOf(last) });
  return gaps;
}
