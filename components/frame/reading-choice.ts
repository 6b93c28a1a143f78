/** Which zone a person reads in. */
export const READING_CHOICES = ["request", "utc", "mine"] as const;

export type ReadingChoice = (typeof READING_CHOICES)[number];

/** Holds the choice; it says nothing about the person. */
export const READING_COOKIE = "dl-reading";

/** The choice in a cookie's value; UTC where it holds none. */
export function readingChoiceOf(value: string | undefined): ReadingChoice {
  return READING_CHOICES.find((choice) => choice === value) ?? "utc";
}
