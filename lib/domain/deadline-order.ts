/** Which clock orders a list of deadlines; `earliest` is whichever of deadline and expiry comes first. */
export const DEADLINE_ORDERS = ["earliest", "business", "platform", "timer"] as const;

export type DeadlineOrder = (typeof DEADLINE_ORDERS)[number];
