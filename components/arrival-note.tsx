"use client";

import { useSearchParams } from "next/navigation";

/** Confirms what brought the reader here: "Proposed. It waits for 1 approval." Whether it still waits is in the badge. */
export function ArrivalNote({ need }: { readonly need: number }) {
  if (useSearchParams().get("proposed") === null) return null;
  return (
    <p role="status">
      Proposed. It waits for {need} {need === 1 ? "approval" : "approvals"}.
    </p>
  );
}
