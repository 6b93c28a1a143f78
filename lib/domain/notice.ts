/**
 * What people are told of (OB-2). `unreached` goes to the next in line when nobody took a notice; `test` is what a person
 * sends to see whether a way works.
 */
export const NOTICE_KINDS = [
  "review_opened",
  "review_reminder",
  "review_breached",
  "review_escalated",
  "review_returned",
  "unknown_past_age",
  "approval_waiting",
  "second_person_wanted",
  "unowned",
  "unreached",
  "test",
] as const;

export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Who a notice is for: `account:<uuid>` or `team:<name>`, as review items name their owner. */
export type NoticeAudience = { readonly owner: string } | { readonly account: string };

/** What a notice is about: codes, opaque references, figures (PV-4). */
export interface NoticeSubject {
  readonly reason?: string | null | undefined;
  readonly consequence?: string | null | undefined;
  /** How many things join the matter with this call; they are added up while it is open. */
  readonly count: number;
  /** A path below `/t/<slug>` of the console, as in `/reviews?reason=possible_duplicate`. */
  readonly path: string;
  /** When the first of them is lost, RFC 3339; null or left out where nothing ends. */
  readonly losesAt?: string | null | undefined;
}

export interface NoticeWish {
  /** What it is about (owner, reason, connection, kind of notice), never the single item. */
  readonly matter: string;
  readonly audience: NoticeAudience;
  readonly kind: Exclude<NoticeKind, "unreached" | "test">;
  /** Goes out at any hour, and again while the matter is open. */
  readonly escalation: boolean;
  readonly subject: NoticeSubject;
}

/** By which way something reaches a person or a tenant. `webhook` is signed by Standard Webhooks. */
export const NOTICE_CHANNELS = ["mail", "chat", "webhook"] as const;

export type NoticeChannel = (typeof NOTICE_CHANNELS)[number];

/** The audience as the ledger keeps it. */
export function audienceOf(audience: NoticeAudience): string {
  return "account" in audience ? `account:${audience.account}` : audience.owner;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A storm gathers for so long before its one message leaves, so that it can tell how many. Milliseconds. */
export const GATHER_MS = 10 * SECOND;

/** A matter that nothing joined for so long is over; what comes then is told again. Milliseconds. */
export const QUIET_AFTER_MS = 30 * MINUTE;

/**
 * Escalations of one matter within this time are one message: less than the shortest limit of an age, so that every
 * further level is told. Milliseconds.
 */
export const ESCALATION_WINDOW_MS = 10 * MINUTE;

/** A claimed delivery that is not reported within this time is free for another worker. Milliseconds. */
export const NOTICE_LEASE_MS = 60_000;

/** How long one attempt may take, whatever the way. Well below the lease. Milliseconds. */
export const NOTICE_TIMEOUT_MS = 15_000;

/** The pause after each failed try. The first six are over within twelve minutes, all of them within a night. */
const PAUSES_MS = [
  5 * SECOND,
  20 * SECOND,
  MINUTE,
  3 * MINUTE,
  6 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
] as const;

/** After so many tries without success the next in line is told; the tries go on. */
export const UNREACHED_AFTER_TRIES = 6;

/** After so many tries a delivery is dead. */
export const NOTICE_TRIES_MAX = PAUSES_MS.length + 1;

/**
 * The pause after a failed try in milliseconds, with up to a quarter more by `chance` (0 to 1). At least
 * `retryAfterMs`, within four hours. Null when the tries are used up.
 */
export function pauseAfterNoticeTry(
  tries: number,
  chance: number,
  retryAfterMs: number | null = null,
): number | null {
  const pause = PAUSES_MS[tries - 1];
  if (pause === undefined) return null;
  return Math.round(Math.max(pause * (1 + chance / 4), Math.min(retryAfterMs ?? 0, 4 * HOUR)));
}

/** So many tests may be sent to one person or endpoint within the window. Milliseconds. */
export const TESTS_MAX = 6;
export const TEST_WINDOW_MS = 10 * MINUTE;

/** Teams whose notices an endpoint can get. */
export const NOTICE_TEAMS = [
  "team:on-call",
  "team:account-managers",
  "team:compliance",
  "team:admins",
] as const;

export type NoticeTeam = (typeof NOTICE_TEAMS)[number];
