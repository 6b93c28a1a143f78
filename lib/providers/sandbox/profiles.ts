/**
 * What one account of the sandbox platform does, as data. The platform behaves by it and `descriptorOf` says
 * the same thing in the words of PL-2, so that a descriptor here is true by construction.
 */
export interface SandboxProfile {
  readonly about: string;
  readonly lookup: "authoritative" | "eventual" | "none";
  /** How long after the effect a look-up by reference starts to find a request. */
  readonly lookupLagMs: number;
  /** How old a picture every read shows. */
  readonly readLagMs: number;
  /** 0: the platform knows no keys. */
  readonly keyKeptMs: number;
  readonly conditionalUpdate: "none" | "version";
  readonly rateLimit: "guaranteed" | "unstated" | "observed_false";
  readonly conflict: "guaranteed" | "unstated";
  /** How long after its 2xx an accepted change takes effect; 0: before it answers. */
  readonly queueMs: number;
  readonly expiredIs: "final" | "revivable";
  readonly expiry: "exact" | "floored_to_hour" | "relative_days";
  readonly reminderTimestamp: boolean;
  /** Whether a read shows when the invitation was last delivered. */
  readonly deliveryRecord: boolean;
  /** Whether a resend gives the request its whole number of days again. */
  readonly resendMovesExpiry: boolean;
  readonly times: SandboxTimes;
  /** False: the descriptor says `unknown` for P, D and V although the platform keeps to them. */
  readonly statesTimes: boolean;
}

/** P, D and V of RC-8. The platform drops a change that would take effect later than D. */
export interface SandboxTimes {
  readonly pauseMs: number;
  readonly processingMs: number;
  readonly visibilityMs: number;
}

/** Small enough that a wait by RC-8 ends in about two seconds, large enough for a busy machine with two cores. */
const TIMES: SandboxTimes = { pauseMs: 200, processingMs: 1500, visibilityMs: 400 };

const EXACT: SandboxProfile = {
  about: "Reads and look-ups are current; nothing else is promised.",
  lookup: "authoritative",
  lookupLagMs: 0,
  readLagMs: 0,
  keyKeptMs: 0,
  conditionalUpdate: "none",
  rateLimit: "unstated",
  conflict: "unstated",
  queueMs: 0,
  expiredIs: "final",
  expiry: "exact",
  reminderTimestamp: true,
  deliveryRecord: true,
  resendMovesExpiry: false,
  times: TIMES,
  statesTimes: true,
};

const DAY_MS = 86_400_000;

/** Every profile by its name. A matrix test goes through all of them. */
export const SANDBOX_PROFILES = {
  exact: EXACT,
  eventual: {
    ...EXACT,
    about: "A look-up by reference finds a new request only after a while.",
    lookup: "eventual",
    lookupLagMs: 150,
  },
  no_lookup: {
    ...EXACT,
    about: "Requests cannot be looked up by our reference.",
    lookup: "none",
  },
  versioned: {
    ...EXACT,
    about: "A change can name the version that it expects.",
    conditionalUpdate: "version",
  },
  key_kept: {
    ...EXACT,
    about: "An idempotency key is kept for a day.",
    keyKeptMs: DAY_MS,
  },
  key_forgotten: {
    ...EXACT,
    about: "An idempotency key is forgotten after a moment.",
    keyKeptMs: 400,
  },
  queued: {
    ...EXACT,
    about: "Changes are accepted first and take effect a little later.",
    queueMs: 300,
  },
  lagging: {
    ...EXACT,
    about: "Every read shows a slightly old picture.",
    lookupLagMs: 150,
    readLagMs: 150,
  },
  revivable: {
    ...EXACT,
    about: "An expired request can be extended and is open again.",
    expiredIs: "revivable",
  },
  hourly: {
    ...EXACT,
    about: "An expiry is rounded down to the whole hour.",
    expiry: "floored_to_hour",
  },
  relative_days: {
    ...EXACT,
    about: "An expiry is a number of whole days after sending; a resend begins the days again.",
    expiry: "relative_days",
    resendMovesExpiry: true,
  },
  no_reminder_time: {
    ...EXACT,
    about: "Nothing shows when the last reminder or delivery went out.",
    reminderTimestamp: false,
    deliveryRecord: false,
  },
  strict_429: {
    ...EXACT,
    about: "429, 409 and 423 guarantee that nothing was processed.",
    rateLimit: "guaranteed",
    conflict: "guaranteed",
  },
  loose_429: {
    ...EXACT,
    about: "429 was seen on calls that took effect.",
    rateLimit: "observed_false",
  },
  unstated_times: {
    ...EXACT,
    about: "Nobody can say how long a call may travel or a read may lag.",
    statesTimes: false,
  },
  generous: {
    ...EXACT,
    about: "Current reads, versions, a kept key and clear refusals.",
    keyKeptMs: DAY_MS,
    conditionalUpdate: "version",
    rateLimit: "guaranteed",
    conflict: "guaranteed",
  },
} as const satisfies Record<string, SandboxProfile>;

export type SandboxProfileName = keyof typeof SANDBOX_PROFILES;

export const SANDBOX_PROFILE_NAMES = Object.keys(SANDBOX_PROFILES) as readonly SandboxProfileName[];

/** The profile of that name. */
export function sandboxProfile(name: SandboxProfileName): SandboxProfile {
  return SANDBOX_PROFILES[name];
}
