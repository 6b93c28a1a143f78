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
    path: "/connections",
    label: "Connections",
    what: "Platforms that this tenant works with: health, secrets of their deliveries, polling, and what each can do.",
  },
  {
    path: "/routing",
    label: "Routing",
    what: "Who gets which review item, who is told next when nobody acts, and who is on call.",
  },
  {
    path: "/notifications",
    label: "Notifications",
    what: "Chats and webhooks where this tenant is told of what waits, and of what it was told last.",
  },
  {
    path: "/members",
    label: "Members",
    what: "Who has access to this tenant and in which role, when each was last seen, and open sessions.",
  },
  {
    path: "/zones",
    label: "Zone data",
    what: "Which time-zone rules deadlines are computed with, who would count differently, and the platforms' clocks.",
  },
];
