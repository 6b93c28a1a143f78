"use client";

import { Button, Progress } from "@mantine/core";
import { Fact } from "@/components/fact";
import { grouped } from "@/components/state-strip";
import { replaySum } from "@/lib/domain/inbox-words";
import type { ReplayRun } from "./use-replay";

interface ReplayProgressProps {
  readonly run: ReplayRun;
  clear(): void;
}

/** How far a replay is, and what it came to. */
export function ReplayProgress({ run, clear }: ReplayProgressProps) {
  const { total, done, running, results, problem } = run;
  if (running) {
    return (
      <div>
        <p role="status">
          {grouped(done)} of {grouped(total)} events replayed. Keep this page open; what is done
          stays done.
        </p>
        <Progress value={total === 0 ? 100 : (100 * done) / total} aria-label="Replayed" />
      </div>
    );
  }
  return (
    <Fact
      actions={
        <Button size="xs" variant="default" onClick={clear}>
          Close this result
        </Button>
      }
    >
      {problem === null ? null : <p>Stopped: {problem}</p>}
      <p>
        {grouped(done)} {done === 1 ? "event" : "events"} replayed: {replaySum(results)}.
      </p>
    </Fact>
  );
}
