"use client";

import { useSearchParams } from "next/navigation";

/** Confirms what brought the reader here, while it is still so: "Proposed. It waits for 1 approval." */
export function ArrivalNote({ waits }: { readonly waits: boolean }) {
  const need = Number(useSearchParams().get("proposed") ?? 0);
  if (!waits || !Number.isInteger(need) || need < 1) return null;
  return (
    <p role="status">
      Proposed. It waits for {need} {need === 1 ? "approval" : "approvals"}.
    </p>
  );
}
