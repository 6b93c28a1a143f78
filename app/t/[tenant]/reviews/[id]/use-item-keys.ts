"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { ACT_WORDS, type OfferedAct } from "@/app/t/[tenant]/reviews/item-acts";
import { markOpened, type Place, placeIn, readTrail } from "@/app/t/[tenant]/reviews/trail";
import { isTyping, singleKeysAreOn } from "@/components/frame/single-keys";

/** Where the item stands in the list that one came from; null on the server and in a tab of its own. */
export function usePlace(id: string): {
  readonly place: Place | null;
  readonly back: string | null;
} {
  const [found, setFound] = useState<{ place: Place | null; back: string | null }>({
    place: null,
    back: null,
  });
  useEffect(() => {
    const trail = readTrail();
    setFound({ place: placeIn(trail, id), back: trail?.href ?? null });
    markOpened(id);
  }, [id]);
  return found;
}

interface ItemKeys {
  /** The item's own address. */
  readonly path: string;
  readonly place: Place | null;
  act(act: OfferedAct): void;
  /** `m`; null where there is nothing to decide. */
  readonly decide: string | null;
}

/** `[` and `]` to the neighbours, `m` to the decision, and the keys of the acts (screens 1.5). */
export function useItemKeys({ path, place, act, decide }: ItemKeys): void {
  const router = useRouter();
  const onKey = useRef<(event: KeyboardEvent) => void>(() => undefined);
  onKey.current = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (!singleKeysAreOn()) return;
    const neighbour = event.key === "[" ? place?.before : event.key === "]" ? place?.after : null;
    if (neighbour) return router.push(`${path.slice(0, path.lastIndexOf("/"))}/${neighbour}`);
    if (event.key === "m" && decide !== null) return router.push(decide);
    const found = Object.entries(ACT_WORDS).find(([, { key }]) => key === event.key);
    if (found) {
      // The letter must not land in the dialog that it opens.
      event.preventDefault();
      act(found[0] as OfferedAct);
    }
  };
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey.current(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}
