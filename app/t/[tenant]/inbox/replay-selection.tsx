"use client";

import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { getJson } from "@/components/api-call";
import { ConfirmConsequence } from "@/components/confirm-consequence";
import { useNow } from "@/components/frame/live";
import { isTyping, singleKeysAreOn } from "@/components/frame/single-keys";
import { grouped } from "@/components/state-strip";
import { formatMoment } from "@/lib/domain/deadline";
import type { InboxMatches } from "@/lib/queries/inbox-matches";
import classes from "./inbox.module.css";
import { ReplayProgress } from "./replay-progress";
import { useReplay } from "./use-replay";

interface ReplaySelectionProps {
  readonly tenant: string;
  /** The filters as an address: what "all that match" means. */
  readonly filters: string;
  readonly matching: { readonly count: number; readonly more: boolean };
  readonly chosen: readonly string[];
  choose(ids: readonly string[]): void;
  done(): void;
}

/** What the API takes as one selection. */
const SELECTION_MAX = 500;

/** What is selected, how it grows to all that match, and its replay with progress and result. */
export function ReplaySelection(props: ReplaySelectionProps) {
  const { tenant, filters, matching, chosen, choose, done } = props;
  const replay = useReplay(tenant);
  const frozen = useFrozen(tenant, filters, chosen, choose);
  const [asking, setAsking] = useState(false);
  const clear = () => choose([]);
  useEscape(chosen.length > 0 && !asking, clear);
  const start = async () => {
    setAsking(false);
    await replay.selection(chosen);
    clear();
    done();
  };
  if (replay.run !== null) return <ReplayProgress run={replay.run} clear={replay.clear} />;
  if (chosen.length === 0) return null;
  const events = `${grouped(chosen.length)} ${chosen.length === 1 ? "event" : "events"}`;
  return (
    <div className={classes.bar}>
      <span role="status">
        {frozen.at === null
          ? `${grouped(chosen.length)} selected on this page`
          : `${events} selected, as they matched at ${formatMoment(frozen.at)}`}
      </span>
      {frozen.at === null && (matching.more || matching.count > chosen.length) ? (
        <Button size="xs" variant="default" onClick={() => void frozen.take()}>
          {allWords(matching)}
        </Button>
      ) : null}
      <Button size="xs" onClick={() => setAsking(true)}>
        Replay {grouped(chosen.length)} selected
      </Button>
      <Button size="xs" variant="default" onClick={clear}>
        Clear selection (Esc)
      </Button>
      <span role="alert">{frozen.problem}</span>
      <ConfirmConsequence
        opened={asking}
        onClose={() => setAsking(false)}
        question={`Replay ${events}?`}
        action={`Replay ${events}`}
        keep="Leave them"
        onConfirm={() => void start()}
      >
        <p>
          They take the normal path, in the order of receipt. What was applied before changes
          nothing. Each replay is recorded with your account.
        </p>
      </ConfirmConsequence>
    </div>
  );
}

function allWords({ count, more }: ReplaySelectionProps["matching"]): string {
  if (!more && count <= SELECTION_MAX) return `Select all ${grouped(count)} that match`;
  const all = more ? `more than ${grouped(count)}` : grouped(count);
  return `Select the newest ${SELECTION_MAX} of ${all} that match`;
}

/** Freezes what matches now: ids and count; later events are not in it. */
function useFrozen(
  tenant: string,
  filters: string,
  chosen: readonly string[],
  choose: (ids: readonly string[]) => void,
) {
  const now = useNow();
  const [taken, setTaken] = useState<{ ids: readonly string[]; at: string } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const take = async () => {
    const at = now;
    const answer = await getJson<InboxMatches>(`/api/v1/t/${tenant}/inbox/matches${filters}`);
    if (answer.kind !== "ok") {
      return setProblem(answer.kind === "refused" ? answer.problem.detail : "No answer came.");
    }
    setProblem(null);
    setTaken({ ids: answer.data.ids, at });
    choose(answer.data.ids);
  };
  return { at: taken !== null && taken.ids === chosen ? taken.at : null, problem, take };
}

function useEscape(on: boolean, clear: () => void): void {
  useEffect(() => {
    if (!on) return;
    const listener = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !isTyping(event.target) && singleKeysAreOn()) clear();
    };
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  });
}
