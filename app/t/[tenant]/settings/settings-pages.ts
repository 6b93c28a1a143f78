interface SettingsPage {
  /** Below `T/settings`. */
  readonly path: string;
  readonly label: string;
  readonly what: string;
}

/** The pages below Settings that exist, in the order in which they are listed. */
export const SETTINGS: readonly SettingsPage[] = [
  {
    path: "/policies",
    label: "Policies",
    what: "Who proposes and approves each kind of operation, how long a proposal waits, who reminds and when requests close.",
  },
  {
    path: "/zones",
    label: "Zone data",
    what: "Which time-zone rules deadlines are computed with, who would count differently, and the platforms' clocks.",
  },
];
