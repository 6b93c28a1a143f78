"use client";

import { useState } from "react";
import { type ApiAnswer, postJson } from "@/components/api-call";
import { freshId } from "@/components/fresh-id";

/** How a replay of many events goes on. */
export interface ReplayRun {
  readonly total: number;
  readonly done: number;
  readonly running: boolean;
  /** How many came to each result. */
  readonly results: Readonly<Record<string, number>>;
  /** Why it stopped before its end. */
  readonly problem: string | null;
}

/** So many events go into one request, so that each is answered in time and progress is shown. */
const PART = 100;
const PART_OF_DAY = 500;

const LOST =
  "We did not hear back about the last part. Replay them again: what was applied changes nothing.";

export interface Replay {
  readonly run: ReplayRun | null;
  /** Replays these events, in parts. */
  selection(ids: readonly string[]): Promise<void>;
  /** Replays everything received from `from` up to `to`, in the order of receipt; `total` was counted before. */
  stretch(from: string, to: string, total: number): Promise<void>;
  clear(): void;
}

interface Part {
  readonly count: number;
  readonly results: Readonly<Record<string, number>>;
}

/** Runs a replay part by part from this page. What was replayed when the page is left stays replayed. */
export function useReplay(tenant: string): Replay {
  const [run, setRun] = useState<ReplayRun | null>(null);
  const url = `/api/v1/t/${tenant}/inbox/replays`;
  const begin = (total: number) =>
    setRun({ total, done: 0, running: true, results: {}, problem: null });
  const add = ({ count, results }: Part) =>
    setRun(
      (now) => now && { ...now, done: now.done + count, results: summed(now.results, results) },
    );
  const end = (problem: string | null) =>
    setRun((now) => now && { ...now, running: false, problem });
  const selection = async (ids: readonly string[]) => {
    begin(ids.length);
    for (let from = 0; from < ids.length; from += PART) {
      const part = ids.slice(from, from + PART);
      const answer = await postJson<{ replayed: readonly { result: string }[] }>(
        url,
        { ids: part },
        freshId(),
      );
      if (answer.kind !== "ok") return end(problemOf(answer));
      const { replayed } = answer.data;
      const results: Record<string, number> = {};
      for (const { result } of replayed) results[result] = (results[result] ?? 0) + 1;
      add({ count: part.length, results });
    }
    end(null);
  };
  const stretch = async (from: string, to: string, total: number) => {
    begin(total);
    let after: unknown = null;
    do {
      const body = { from, to, after, most: PART_OF_DAY };
      const answer = await postJson<Part & { after: unknown }>(url, body, freshId());
      if (answer.kind !== "ok") return end(problemOf(answer));
      add(answer.data);
      after = answer.data.after;
    } while (after !== null);
    end(null);
  };
  return { run, selection, stretch, clear: () => setRun(null) };
}

function problemOf(answer: Exclude<ApiAnswer<unknown>, { kind: "ok" }>): string {
  return answer.kind === "refused" ? answer.problem.detail : LOST;
}

function summed(
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const sum: Record<string, number> = { ...one };
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
