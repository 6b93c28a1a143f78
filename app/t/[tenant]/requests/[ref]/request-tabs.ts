export const REQUEST_TABS = ["operations", "signers", "reads"] as const;
export type RequestTab = (typeof REQUEST_TABS)[number];
