"use client";

import { type RefObject, useEffect, useRef } from "react";
import { isTyping, singleKeysAreOn } from "@/components/frame/single-keys";
import { ACT_WORDS, type OfferedAct } from "./item-acts";

interface QueueKeys {
  /** The list; each row holds `data-id`. */
  readonly list: RefObject<HTMLElement | null>;
  act(act: OfferedAct, id: string): void;
  /** `m`. */
  decide(id: string): void;
  /** `x`. */
  select(id: string): void;
  /** `Shift X`. */
  selectAll(): void;
  /** `Esc`. */
  clear(): void;
}

const ACTS = Object.entries(ACT_WORDS) as [OfferedAct, (typeof ACT_WORDS)[OfferedAct]][];

/** The keys that act on the row with the focus (screens 1.5). The focus stays on it. */
export function useQueueKeys(keys: QueueKeys): void {
  const onKey = useRef<(event: KeyboardEvent) => void>(() => undefined);
  onKey.current = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (!singleKeysAreOn()) return;
    if (event.key === "X" && event.shiftKey) return keys.selectAll();
    if (event.key === "Escape") return keys.clear();
    const id = focusedRow(keys.list.current);
    if (id === null) return;
    const act = ACTS.find(([, { key }]) => key === event.key)?.[0];
    if (act !== undefined) {
      // The letter must not land in the dialog that it opens.
      event.preventDefault();
      keys.act(act, id);
    } else if (event.key === "m") keys.decide(id);
    else if (event.key === "x") keys.select(id);
    else if (event.key === "i") void navigator.clipboard?.writeText(id);
  };
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey.current(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}

function focusedRow(list: HTMLElement | null): string | null {
  const row = document.activeElement?.closest<HTMLElement>("[data-id]");
  return row && list?.contains(row) ? (row.dataset.id ?? null) : null;
}
