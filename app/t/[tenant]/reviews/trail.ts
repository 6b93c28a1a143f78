const STORED_AS = "dl-review-trail";

/** The list that one came from: its address and the ids in its order. Kept for this tab. */
export interface Trail {
  readonly href: string;
  readonly ids: readonly string[];
}

/** Remembers the list that is on screen. */
export function leaveTrail(trail: Trail): void {
  sessionStorage.setItem(STORED_AS, JSON.stringify(trail));
}

/** The list that one came from; null in a tab that was opened at an item. */
export function readTrail(): Trail | null {
  const kept = sessionStorage.getItem(STORED_AS);
  return kept === null ? null : (JSON.parse(kept) as Trail);
}

/** "4 of 9" with the neighbours of an item in the list one came from. */
export interface Place {
  readonly number: number;
  readonly count: number;
  readonly before: string | null;
  readonly after: string | null;
}

/** Where the item stands in the trail; null when it is not part of it. */
export function placeIn(trail: Trail | null, id: string): Place | null {
  const at = trail?.ids.indexOf(id) ?? -1;
  if (trail === null || at < 0) return null;
  return {
    number: at + 1,
    count: trail.ids.length,
    before: trail.ids[at - 1] ?? null,
    after: trail.ids[at + 1] ?? null,
  };
}

const RETURN_TO = "dl-review-return";

/** Remembers which item was opened, so that the focus goes back to its row. */
export function markOpened(id: string): void {
  sessionStorage.setItem(RETURN_TO, id);
}

/** The item that was opened last, once; null when there is none. */
export function takeOpened(): string | null {
  const id = sessionStorage.getItem(RETURN_TO);
  sessionStorage.removeItem(RETURN_TO);
  return id;
}
