/** That somebody was here is noted no more often than this, in minutes. */
export const SEEN_EVERY = 5;
