"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { type ApiProblem, getJson, postJson } from "@/components/api-call";
import { freshId } from "@/components/fresh-id";
import { isWorking } from "@/lib/domain/decision";
import type { DecisionView } from "@/lib/queries/decision-view";

/** What is sent; the same content again is the same request. */
export interface DecideBody {
  readonly option: string;
  readonly reason: string;
  readonly kept?: string;
  readonly voidsTyped?: readonly string[];
  /** The facts that were on screen. */
  readonly expected: string;
}

export interface Deciding {
  /** `checking`: an answer was lost and nobody knows yet; no button is live meanwhile (screens 4.1). */
  readonly phase: "idle" | "sending" | "checking";
  readonly status: string;
  /** The decision that this page made or follows; null before. */
  readonly decision: DecisionView | null;
  /** Why the last try was turned down; nothing was decided then. */
  readonly problem: ApiProblem | null;
  decide(body: DecideBody): void;
  /** `override` asks for a second person; `confirm` and `refuse` are that person's answers. */
  answer(verb: "override" | "confirm" | "refuse", reason?: string): void;
  /** Back to the choice: what came of the last try is put away. */
  again(): void;
}

type Shown = Pick<Deciding, "phase" | "status" | "problem">;

const IDLE: Shown = { phase: "idle", status: "", problem: null };
const LOST = "We did not hear back. Your decision may have been recorded. Checking…";
const NOT_RECORDED = "It was not recorded. You can decide again.";
const FOLLOW_EVERY_MS = 600;
const CHECK_EVERY_MS = 2000;

/**
 * Makes one decision about an item and follows it until the worker's read has settled it. `latest` is the newest
 * decision of the item that is still under way, so that a reload goes on where one was.
 */
export function useDecide(
  base: string,
  latest: DecisionView | null,
  refresh: () => void,
): Deciding {
  const [shown, setShown] = useState(IDLE);
  const [own, setOwn] = useState<DecisionView | null>(null);
  const [putAway, setPutAway] = useState<string | null>(null);
  const keys = useRef(new Map<string, string>());
  const underWay = useRef(false);
  const current = newer(own, latest);
  const decision = current !== null && current.id !== putAway ? current : null;
  useFollow(base, decision, setOwn, refresh);
  const send = (url: string, body: object) => {
    // Two clicks in one frame meet here before any state is drawn.
    if (underWay.current) return;
    underWay.current = true;
    setShown({ ...IDLE, phase: "sending" });
    void once(url, body).finally(() => {
      underWay.current = false;
      refresh();
    });
  };
  const once = async (url: string, body: object) => {
    const name = `${url} ${JSON.stringify(body)}`;
    const key = keys.current.get(name) ?? freshId();
    keys.current.set(name, key);
    const answer = await postJson<{ id: string }>(url, body, key);
    if (answer.kind === "refused") {
      keys.current.delete(name);
      return setShown({ ...IDLE, problem: answer.problem });
    }
    if (answer.kind === "ok") {
      const found = await getJson<DecisionView>(`${base}/decisions/${answer.data.id}`);
      if (found.kind === "ok") setOwn(found.data);
      return setShown(IDLE);
    }
    setShown({ ...IDLE, phase: "checking", status: LOST });
    const found = await recorded(base, decision?.id ?? null);
    if (found !== null) setOwn(found);
    setShown({ ...IDLE, status: found === null ? NOT_RECORDED : recordedWords(found) });
  };
  return {
    ...shown,
    decision,
    decide: (body) => send(`${base}/decisions`, body),
    answer: (verb, reason) => {
      if (decision === null) return;
      send(`${base}/decisions/${decision.id}/${verb}`, reason === undefined ? {} : { reason });
    },
    again: () => {
      setPutAway(decision?.id ?? null);
      setShown(IDLE);
    },
  };
}

/** The page's own copy of a decision and the one that came with the item: the one that is further on. */
function newer(own: DecisionView | null, latest: DecisionView | null): DecisionView | null {
  if (own === null || latest === null) return own ?? latest;
  if (latest.id === own.id) return isWorking(latest.outcome) ? own : latest;
  return Date.parse(latest.at) > Date.parse(own.at) ? latest : own;
}

/** Asks again while a worker reads for it. */
function useFollow(
  base: string,
  decision: DecisionView | null,
  show: (decision: DecisionView) => void,
  refresh: () => void,
): void {
  const id = decision !== null && isWorking(decision.outcome) ? decision.id : null;
  const done = useRef(refresh);
  done.current = refresh;
  const look = useCallback(async () => {
    const answer = await getJson<DecisionView>(`${base}/decisions/${id}`);
    if (answer.kind !== "ok") return;
    show(answer.data);
    if (!isWorking(answer.data.outcome)) done.current();
  }, [base, id, show]);
  useEffect(() => {
    if (id === null) return;
    const timer = setInterval(() => void look(), FOLLOW_EVERY_MS);
    return () => clearInterval(timer);
  }, [id, look]);
}

/** Looks until it is known whether a decision newer than `before` was recorded by this person. */
async function recorded(base: string, before: string | null): Promise<DecisionView | null> {
  for (;;) {
    const answer = await getJson<{ decision: DecisionView | null }>(base);
    if (answer.kind === "refused") return null;
    if (answer.kind === "ok") {
      const { decision } = answer.data;
      return decision?.byYou && decision.id !== before ? decision : null;
    }
    await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
  }
}

function recordedWords({ at }: DecisionView): string {
  return `It was recorded at ${at.slice(11, 19)}Z.`;
}
