/** By whom a signer was contacted (RM-2): this ledger, the platform, or somebody outside who reported it. */
export type ContactSource = "automatic" | "manual" | "bulk" | "agent" | "platform" | "elsewhere";

/** Each source as a sentence names it: "last reminder 3 hours ago by …". */
export const CONTACT_WORDS: Record<ContactSource, string> = {
  automatic: "our reminder plan",
  manual: "one of your team",
  bulk: "a bulk action",
  agent: "an agent",
  platform: "the platform",
  elsewhere: "somebody outside this ledger",
};

export interface Contact {
  readonly at: Date;
  readonly source: ContactSource;
}

/** The platform shows a reminder of ours with its own clock, and a little after we recorded it. */
const SAME_CONTACT_MS = 5 * 60_000;

/**
 * The newer of the contact that the ledger knows and the newest reminder that the platform shows (RM-2); null when
 * there is neither. A shown reminder close to our own is that one and keeps its name.
 */
export function newestOf(known: Contact | null, shownAt: Date | null): Contact | null {
  if (shownAt === null || (known !== null && shownAt <= known.at)) return known;
  const isOurs = known !== null && shownAt.getTime() - known.at.getTime() <= SAME_CONTACT_MS;
  return { at: shownAt, source: isOurs ? known.source : "platform" };
}

/** When the next contact becomes possible (RM-2); null when it is possible at `now`. */
export function possibleFrom(
  last: Contact | null,
  minIntervalHours: number,
  now: Date,
): Date | null {
  if (last === null) return null;
  const from = new Date(last.at.getTime() + minIntervalHours * 3_600_000);
  return from > now ? from : null;
}
