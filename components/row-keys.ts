"use client";

import { type RefObject, useEffect, useRef } from "react";
import { isTyping, singleKeysAreOn } from "./frame/single-keys";

interface RowKeys {
  /** The list; each row that can be opened holds a link marked `data-row`. */
  readonly list: RefObject<HTMLElement | null>;
  /** The filter box, for `/`. */
  readonly box?: RefObject<HTMLInputElement | null>;
  /** `.`: show rows that arrived meanwhile. */
  readonly showNew?: () => void;
}

/** `j` and `k` move between rows, `Enter` then opens by itself, `/` goes to the filter, `.` shows new rows. */
export function useRowKeys({ list, box, showNew }: RowKeys): void {
  const onKey = useRef<(event: KeyboardEvent) => void>(() => undefined);
  onKey.current = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (!singleKeysAreOn()) return;
    if (event.key === "j" || event.key === "k") move(list.current, event.key === "j" ? 1 : -1);
    else if (event.key === "." && showNew) showNew();
    else if (event.key === "/" && box?.current) {
      event.preventDefault();
      box.current.focus();
    }
  };
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey.current(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}

function move(list: HTMLElement | null, by: 1 | -1): void {
  const links = [...(list?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
  const here = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
  const next = here < 0 ? (by === 1 ? 0 : links.length - 1) : here + by;
  links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
}
