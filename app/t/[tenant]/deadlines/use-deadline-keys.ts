"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { isTyping, singleKeysAreOn } from "@/components/frame/single-keys";
import { DEADLINE_ORDERS } from "@/lib/domain/deadline-order";
import { type Address, addressText, DEADLINE_VIEWS, FIRST, orderOf, viewOf } from "./address";

/** `v` goes to the next view, `b` to the next order. */
export function useDeadlineKeys(path: string, address: Address): void {
  const router = useRouter();
  const onKey = useRef<(event: KeyboardEvent) => void>(() => undefined);
  onKey.current = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (!singleKeysAreOn()) return;
    if (event.key === "v") {
      const view = after(DEADLINE_VIEWS, viewOf(address));
      router.push(`${path}${addressText(address, { view })}`);
    } else if (event.key === "b") {
      const by = after(DEADLINE_ORDERS, orderOf(address));
      router.push(`${path}${addressText(address, { by, ...FIRST })}`);
    }
  };
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey.current(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}

function after<Value>(all: readonly Value[], here: Value): Value | undefined {
  return all[(all.indexOf(here) + 1) % all.length];
}
