"use client";

import { useRef, useState } from "react";
import { postJson } from "@/components/api-call";
import { freshId } from "@/components/fresh-id";

export interface Bulk {
  readonly busy: boolean;
  /** What the server said of the last try; null when it took it. */
  readonly problem: string | null;
  decide(option: string, reason: string): void;
  stop(): void;
}

/** Starts and stops a bulk decision; the same content again is the same request (API-1). */
export function useBulk(url: string, refresh: () => void): Bulk {
  const keys = useRef(new Map<string, string>());
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const underWay = useRef(false);
  const send = async (verb: "decide" | "stop", body: object) => {
    if (underWay.current) return;
    underWay.current = true;
    const name = `${verb} ${JSON.stringify(body)}`;
    const key = keys.current.get(name) ?? freshId();
    keys.current.set(name, key);
    setBusy(true);
    setProblem(null);
    const answer = await postJson(`${url}/${verb}`, body, key);
    if (answer.kind !== "lost") keys.current.delete(name);
    if (answer.kind === "refused") setProblem(answer.problem.detail);
    if (answer.kind === "lost") setProblem(LOST);
    underWay.current = false;
    setBusy(false);
    refresh();
  };
  return {
    busy,
    problem,
    decide: (option, reason) => void send("decide", { option, reason }),
    stop: () => void send("stop", {}),
  };
}

const LOST = "We did not hear back. What is shown below is read again.";
