"use client";

import { Button } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { postJson } from "@/components/api-call";
import { freshId } from "@/components/fresh-id";
import type { ReviewRow } from "@/lib/queries/review-rows";
import { mayDecide } from "./item-acts";
import classes from "./reviews.module.css";

interface SelectionBarProps {
  readonly tenant: string;
  readonly chosen: readonly ReviewRow[];
  clear(): void;
}

/** What can be done with the selected items together: decide them, when they are of one reason and one kind. */
export function SelectionBar({ tenant, chosen, clear }: SelectionBarProps) {
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  const ids = chosen.map(({ id }) => id);
  // One key per set of items: pressing twice freezes one selection (API-1).
  const key = useRef({ of: "", key: "" });
  const why = whyNot(chosen);
  const freeze = async () => {
    const of = [...ids].sort().join();
    if (key.current.of !== of) key.current = { of, key: freshId() };
    setBusy(true);
    const url = `/api/v1/t/${tenant}/reviews/selections`;
    const answer = await postJson<{ id: string }>(url, { itemIds: ids }, key.current.key);
    if (answer.kind === "ok") {
      return router.push(`/t/${tenant}/reviews/selections/${answer.data.id}`);
    }
    setBusy(false);
    setSaid(answer.kind === "refused" ? answer.problem.detail : "We did not hear back. Ask again.");
  };
  return (
    <section className={classes.selected} aria-label="Selection">
      <span>{ids.length} selected on this page</span>
      <Button
        size="xs"
        disabled={why !== null}
        loading={busy}
        onClick={() => {
          void freeze();
        }}
      >
        Decide {ids.length}…
      </Button>
      <Button size="xs" variant="default" onClick={clear}>
        Clear (Esc)
      </Button>
      <span role="status">{said ?? why}</span>
    </section>
  );
}

function whyNot(chosen: readonly ReviewRow[]): string | null {
  if (chosen.some((row) => !mayDecide(row))) {
    return "Some of these do not wait for a decision of yours.";
  }
  const kinds = new Set(chosen.map(({ reason, kind }) => `${reason} ${kind}`));
  return kinds.size > 1 ? "Choose items of one reason and one kind to decide them together." : null;
}
