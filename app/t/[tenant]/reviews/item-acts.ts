import type { Consequence } from "@/lib/domain/consequence";
import { ACT_FROM, type ItemAct, type ItemStatus } from "@/lib/domain/review-act";

/** The acts as they are offered: taking an item is assigning it to oneself, without a question. */
export type OfferedAct = ItemAct | "take";

/** What the buttons and dialogs have to know of an item. */
export interface ActItem {
  readonly id: string;
  /** How the item is called in a question: its sentence. */
  readonly sentence: string;
  readonly status: ItemStatus;
  readonly consequence: Consequence;
  readonly losesAt: string | null;
  readonly closedAt: string | null;
  readonly assignedTo: string | null;
  readonly owner: string;
  /** False for a reader whom neither role nor routing gives the item. */
  readonly mayAct: boolean;
}

export interface ActWord {
  /** On the button. */
  readonly label: string;
  /** The single key of screens 1.5; null where there is none. */
  readonly key: string | null;
  /** The last part of the address that takes it. */
  readonly path: string;
  /** Said once it is done. */
  readonly done: string;
}

export const ACT_WORDS: Record<OfferedAct, ActWord> = {
  take: { label: "Take it", key: "a", path: "assignments", done: "It is yours." },
  assign: { label: "Assign…", key: null, path: "assignments", done: "Assigned." },
  hand_over: { label: "Hand over…", key: "h", path: "hand-overs", done: "Handed over." },
  acknowledge: {
    label: "Acknowledge…",
    key: "y",
    path: "acknowledgements",
    done: "Acknowledged. Escalation is held until then.",
  },
  snooze: {
    label: "Snooze…",
    key: "s",
    path: "snoozes",
    done: "Snoozed. It comes back sooner if the facts change.",
  },
  see: { label: "Mark as seen", key: null, path: "sightings", done: "Seen. It left the queue." },
};

const ORDER: readonly ItemAct[] = ["acknowledge", "snooze", "assign", "hand_over", "see"];

/** The acts that this item offers to this account now; empty for a reader and for what is closed. */
export function actsFor(item: ActItem, accountId: string): readonly OfferedAct[] {
  if (!item.mayAct || item.closedAt !== null) return [];
  const open = ORDER.filter(
    (act) =>
      ACT_FROM[act].includes(item.status) && !(act === "snooze" && item.consequence === "critical"),
  );
  const mayTake = open.includes("assign") && item.assignedTo !== accountId;
  return mayTake ? ["take", ...open] : open;
}

/** True when the item waits for a decision that this reader may make. */
export function mayDecide(item: Pick<ActItem, "status" | "closedAt" | "mayAct">): boolean {
  return item.mayAct && item.closedAt === null && item.status !== "settled";
}
