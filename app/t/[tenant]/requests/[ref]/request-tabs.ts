export const REQUEST_TABS = ["operations", "signers", "reminders", "reads"] as const;
export type RequestTab = (typeof REQUEST_TABS)[number];
